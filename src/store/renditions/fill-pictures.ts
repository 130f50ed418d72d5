import type { PictureFacts, PictureView } from '../../converters/converter.ts';
import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { viewFileName } from '../../loaders/renditions/picture-views.ts';
import type { StoredBlob, StoredProperties } from '../../model/values/stored.ts';
import { enqueueJobs } from '../queue/enqueue-jobs.ts';
import { finishJob, type TakenJob } from '../queue/take-jobs.ts';
import {
  type LackingDocument,
  lackingDocument,
  lockLackingDocuments,
  pictureViewsJob,
} from './picture-jobs.ts';

/** A view that was made of a picture. */
export interface MadeView {
  readonly title: PictureView;
  readonly blob: StoredBlob;
  readonly facts: PictureFacts;
}

/** Milliseconds until documents are looked at again that another transaction has locked. */
const pause = 5_000;

const descriptions: Readonly<Record<PictureView, string>> = {
  Thumbnail: 'Thumbnail Size',
  Small: 'Small Size',
  Medium: 'Medium Size',
  FullHD: 'Full HD Size',
  OriginalJpeg: 'Original Size in JPEG',
};

const tags: Readonly<Record<PictureView, string>> = {
  Thumbnail: 'thumbnail',
  Small: 'small',
  Medium: 'medium',
  FullHD: 'fullHD',
  OriginalJpeg: 'originalJpeg',
};

/** An item of `picture:views`. */
function viewOf({ title, blob, facts: { view } }: MadeView, { name, fileName }: LackingDocument) {
  const { digest, length, mimeType } = blob;
  const filename = viewFileName(title, fileName ?? name, mimeType);
  return {
    title,
    description: descriptions[title],
    tag: tags[title],
    width: view.width,
    height: view.height,
    filename,
    content: { name: filename, mimeType, encoding: null, digest, length },
    info: { ...view },
  };
}

/** What the server knows of a picture, apart from its views, by xpath. */
export const factsOfPicture = ({ picture, metadata }: PictureFacts): StoredProperties => ({
  'picture:info': { ...picture },
  ...Object.fromEntries(Object.entries(metadata).map(([field, value]) => [`imd:${field}`, value])),
});

// What a document has of its own stays: its values come last.
const fillQuery = statement('fill-pictures')`
  UPDATE document d SET properties = e.facts || d.properties, system_token = d.system_token + 1
  FROM jsonb_to_recordset($1::jsonb) AS e (repository text, id uuid, facts jsonb)
  WHERE d.repository = e.repository AND d.id = e.id`;

/** Fills in some of the documents that lack the views. @returns how many. */
async function fillSome(
  db: Client,
  { digest, types, views }: { digest: string; types: readonly string[]; views: readonly MadeView[] },
): Promise<number> {
  const [first] = views;
  if (!first) return 0;
  const documents = await lockLackingDocuments(db, digest, types);
  const filled = documents.map((document) => ({
    ...document,
    views: document.hasViews ? [] : views.map((view) => viewOf(view, document)),
  }));
  if (filled.length === 0) return 0;
  const rows = filled.map(({ repository, id, views: items }) => ({
    repository,
    id,
    facts: { ...factsOfPicture(first.facts), ...(items.length > 0 && { 'picture:views': items }) },
  }));
  await db.query(fillQuery, [JSON.stringify(rows)]);
  await db.prisma.documentBlob.createMany({
    data: filled.flatMap(({ repository, id: documentId, views: items }) =>
      items.map(({ content }, index) => ({
        repository,
        documentId,
        xpath: `picture:views/${index}/content`,
        digest: content.digest,
      })),
    ),
  });
  return filled.length;
}

/**
 * Gives the documents with a picture its views and its facts, in a transaction that ends the job. It ends
 * first, so that a document that gets the file meanwhile is either seen here or asks once more. No user has
 * changed anything: there is no version, no log entry and no contributor, and the server's half of the change
 * token is raised.
 * @param types those with the facet Picture.
 * @returns how many documents.
 */
export async function fillPictures(
  db: Client,
  job: TakenJob,
  wanted: { readonly digest: string; readonly types: readonly string[]; readonly views: readonly MadeView[] },
): Promise<number> {
  await finishJob(db, job);
  const count = await fillSome(db, wanted);
  const { digest, types, views } = wanted;
  const isLeft = views.length > 0 && (await lackingDocument(db, digest, types)) !== undefined;
  const runAt = count > 0 ? null : new Date(Date.now() + pause).toISOString();
  if (isLeft)
    await enqueueJobs({ db }, [
      { kind: pictureViewsJob, once: `${pictureViewsJob} ${digest}`, payload: { digest }, runAt },
    ]);
  return count;
}
