import type { ValueScope } from '../../scope.ts';
import { administrator } from '../../security/principal.ts';
import type { Services } from '../../services.ts';
import { insertPlaced } from '../../store/documents/inserts/insert-placed.ts';
import type { ImportContext } from '../state.ts';
import { statisticsKeeper } from '../statistics.ts';
import type { ExportedSource } from './exported-files.ts';
import { draftsOfLines, type LineDraft } from './line-drafts.ts';
import { atLine, lineBatches } from './lines.ts';

/** The numbers of documents in committed batches. */
export interface LineCounts {
  created: number;
  /** Documents that existed already. */
  kept: number;
  /** The number of the last committed line. */
  line: number;
}

export interface LineImportOptions {
  /** Whether existing documents are left unchanged. Otherwise they are an error. */
  readonly skipsExisting: boolean;
  /** Whether the lines were exported by a server. The constraints of their values are then not checked. */
  readonly areStored?: boolean;
  /** The export that the lines belong to, with its files and the target of the import. */
  readonly from?: ExportedSource;
  /** Ends the import after the current batch. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (counts: LineCounts) => void;
}

export type LineImportContext = Omit<ImportContext, 'dataFolder' | 'markdownType'> &
  Pick<Services, 'secrets'>;

function valueScope({ database, model, blobs, secrets, user, repository }: LineImportContext): ValueScope {
  return {
    db: database,
    services: { model, blobs, secrets },
    user: administrator(user),
    usedUploads: new Set(),
    options: { repository, language: 'en', links: { readBlob: () => undefined } },
  };
}

/**
 * Imports documents from lines of JSON. Each batch of lines is one transaction, and is checked while the previous batch is
 * being written. The import ends at the first faulty line, whose batch is not written.
 * @param counts is updated after each batch, also if the import fails later.
 * @throws Invalid that names the faulty line.
 */
export async function importLines(
  context: LineImportContext,
  input: AsyncIterable<Buffer>,
  counts: LineCounts,
  { skipsExisting, from, areStored = from !== undefined, signal, onProgress }: LineImportOptions,
): Promise<void> {
  const values = valueScope(context);
  const keepStatistics = statisticsKeeper(context.database);
  let analyzing = Promise.resolve(); // runs concurrently with the next batches
  const settings = {
    skipsExisting,
    refuse: ({ line, path }: LineDraft, reason: string): never => {
      throw atLine(line, `${path}: ${reason}`);
    },
  };
  const write = async (drafts: readonly LineDraft[]): Promise<void> => {
    const created = await context.database.transaction(context.config.TRANSACTION_TIMEOUT, (db) =>
      insertPlaced({ ...values, db }, drafts, settings),
    );
    counts.created += created;
    counts.kept += drafts.length - created;
    counts.line = drafts.at(-1)?.line.number ?? counts.line;
    onProgress?.(counts);
    await analyzing;
    analyzing = keepStatistics(counts.created);
    analyzing.catch(() => {}); // thrown where it is awaited
  };
  let writing = Promise.resolve();
  try {
    for await (const lines of lineBatches(input)) {
      if (signal?.aborted) break;
      const drafts = await draftsOfLines(values, lines, { from, areStored });
      await writing;
      writing = write(drafts);
      writing.catch(() => {}); // thrown where it is awaited
    }
  } finally {
    await writing; // an error of an earlier line takes precedence
  }
  await analyzing;
  await keepStatistics(counts.created, true);
}
