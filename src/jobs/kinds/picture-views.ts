import { pictureViews } from '../../converters/picture-views.ts';
import { typesWithFacet } from '../../model/facets-of.ts';
import { fillPictures, type MadeView } from '../../store/renditions/fill-pictures.ts';
import { lackingDocument, pictureViewsJob } from '../../store/renditions/picture-jobs.ts';
import type { JobServices } from '../services.ts';
import type { JobKind } from '../worker.ts';

/** Makes the views of a picture for the documents that have it; a picture that cannot be read has none. */
export function makePictureViews({ database, blobs, conversions, searchIndex, model }: JobServices): JobKind {
  const types = typesWithFacet(model, 'Picture');
  const viewsOf = async (digest: string, signal: AbortSignal): Promise<MadeView[]> => {
    const found = await lackingDocument(database, digest, types);
    if (!found || (await blobs.renew(digest)) === undefined) return [];
    const views: MadeView[] = [];
    for (const title of pictureViews) {
      signal.throwIfAborted();
      const made = await conversions.of(database, title, { digest, mimeType: found.mimeType });
      if (!made?.facts) break; // what fails for one fails for the others
      const { facts, ...blob } = made;
      views.push({ title, blob, facts });
    }
    return views;
  };
  return {
    name: pictureViewsJob,
    most: 1, // the other converter is left to users who wait
    delays: [10, 60, 600],
    run: async (job, signal) => {
      const { digest } = job.payload as { digest: string };
      const views = await viewsOf(digest, signal);
      const count = await database.transaction(60, (client) =>
        fillPictures(client, job, { digest, types, views }),
      );
      searchIndex.changed();
      return count;
    },
  };
}
