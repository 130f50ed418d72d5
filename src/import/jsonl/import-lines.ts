import type { ValueScope } from '../../scope.ts';
import { administrator } from '../../security/principal.ts';
import type { Services } from '../../services.ts';
import { insertPlaced } from '../../store/documents/inserts/insert-placed.ts';
import type { ImportContext } from '../state.ts';
import { statisticsKeeper } from '../statistics.ts';
import type { ExportedSource } from './exported-files.ts';
import { draftsOfLines, type LineDraft } from './line-drafts.ts';
import { atLine, lineBatches } from './lines.ts';

/** What is committed. */
export interface LineCounts {
  created: number;
  /** Documents that were there already. */
  kept: number;
  line: number;
}

export interface LineImportOptions {
  /** Whether documents that are there already are kept as they are, instead of refused. */
  readonly skipsExisting: boolean;
  /** Whether the values were stored by a server, which exported the lines: constraints are not checked. */
  readonly areStored?: boolean;
  /** The export that the lines are of, whose values were stored: where they go, and their files. */
  readonly from?: ExportedSource;
  /** Ends the import after the batch at hand. */
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
 * Imports documents from lines of JSON: a batch of lines is a transaction, and is checked while the one
 * before is written. Ends at the first faulty line: nothing of its batch is written.
 * @param counts is kept up to date, also when the import fails.
 * @throws Invalid, with the number of the line.
 */
export async function importLines(
  context: LineImportContext,
  input: AsyncIterable<Buffer>,
  counts: LineCounts,
  { skipsExisting, from, areStored = from !== undefined, signal, onProgress }: LineImportOptions,
): Promise<void> {
  const values = valueScope(context);
  const keepStatistics = statisticsKeeper(context.database);
  let analyzing = Promise.resolve(); // beside the next batches
  const settings = {
    isKept: skipsExisting,
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
    await writing; // a fault of an earlier line comes first
  }
  await analyzing;
  await keepStatistics(counts.created, true);
}
