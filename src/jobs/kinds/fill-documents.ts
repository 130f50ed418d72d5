import type { Services } from '../../services.ts';
import { type Filling, fillDocuments } from '../../store/renditions/fill-documents.ts';
import { filledKinds, filledKindsText, type MadeOfFile } from '../../store/renditions/filled-kinds.ts';
import { fillingJob, lackingDocument } from '../../store/renditions/filling-jobs.ts';
import type { JobKind } from '../job-runner.ts';
import { unlessStopped } from '../unless-stopped.ts';

/**
 * Generates derived files that documents lack, such as the views of a picture. Nothing is generated from damaged files.
 */
export function makeFillings({
  database,
  blobs,
  jobConversions: conversions,
  searchIndex,
  model,
}: Services): JobKind {
  const { tools } = conversions;
  const all = filledKindsText(model, tools);
  const fillingOf = async (digest: string, signal: AbortSignal): Promise<Filling> => {
    const found = await lackingDocument(database, digest, all);
    const kind = filledKinds.find(({ facet }) => facet === found?.facet);
    if (!found || !kind) return { digest, kind: undefined, kinds: all, made: [] };
    const made: MadeOfFile[] = [];
    const exists = (await blobs.renew(digest)) !== undefined;
    for (const makes of exists ? kind.makes : []) {
      const making = conversions.of(database, makes, { digest, mimeType: found.mimeType });
      const blob = await unlessStopped(signal, making);
      if (!blob?.facts) break; // the file is damaged if one of its derived files cannot be generated
      const { facts, ...stored } = blob;
      made.push({ makes, blob: stored, facts });
    }
    return { digest, kind, kinds: filledKindsText(model, tools, [kind]), made };
  };
  return {
    name: fillingJob,
    maxConcurrent: 1, // leaves the other converter process to users who are waiting for a conversion
    delays: [10, 60, 600],
    run: async (job, signal) => {
      const { digest } = job.payload as { digest: string };
      const filling = await fillingOf(digest, signal);
      const count = await database.transaction(60, (client) => fillDocuments(client, job, filling));
      searchIndex.changed();
      return count;
    },
  };
}
