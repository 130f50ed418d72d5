import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import type { Scope, ValueScope } from '../../scope.ts';
import { administrator } from '../../security/principal.ts';
import type { Services } from '../../services.ts';
import { insertPlaced } from '../../store/documents/inserts/insert-placed.ts';
import { beforeWrite, isListenedTo } from '../../store/extensions/before-write.ts';
import type { ImportContext } from '../state.ts';
import { statisticsKeeper } from '../statistics.ts';
import type { ExportedSource } from './exported-files.ts';
import { draftsOfLines, type LineDraft, within } from './line-drafts.ts';
import { atLine, lineBatches } from './lines.ts';

/** The counts for the batches that have been committed so far. */
export interface LineCounts {
  created: number;
  /** The number of documents that already existed. */
  existing: number;
  /** The number of the last line that has been committed. */
  line: number;
}

export interface LineImportOptions {
  /** Whether to leave existing documents unchanged. Otherwise, an existing document is an error. */
  readonly skipsExisting: boolean;
  /** Whether the lines were exported by a server. If so, the constraints on their values are not checked. */
  readonly areStored?: boolean;
  /** The export to which the lines belong; undefined if they were not exported. */
  readonly from?: ExportedSource;
  /** Stops the import after the current batch. */
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
 * Inserts documents, after the listeners of extensions have checked and completed them. Each document is inserted before
 * the listeners of the next one run, because they can read it.
 * @returns the number of documents that were inserted
 * @throws Invalid that names the line, if a listener refuses its document
 */
async function insertListening(
  scope: Scope,
  drafts: readonly LineDraft[],
  settings: Parameters<typeof insertPlaced<LineDraft>>[2],
): Promise<number> {
  let created = 0;
  for (const draft of drafts) {
    const complete = (row: DocumentRow) => within(draft.line, () => beforeWrite(scope, null, row));
    created += await insertPlaced(scope, [draft], { ...settings, complete });
  }
  return created;
}

/**
 * Imports documents from lines of JSON. Each batch of lines is written in one transaction and is checked while the
 * previous batch is being written. The import stops at the first invalid line, and the batch that contains the line is
 * not written.
 * @param counts updated after each batch, so that the counts are correct even if the import fails later.
 * @throws Invalid with a message that names the invalid line.
 */
export async function importLines(
  context: LineImportContext,
  input: AsyncIterable<Buffer>,
  counts: LineCounts,
  { skipsExisting, from, areStored = from !== undefined, signal, onProgress }: LineImportOptions,
): Promise<void> {
  const values = valueScope(context);
  const keepStatistics = statisticsKeeper(context.database);
  let analyzing = Promise.resolve(); // updates statistics while the next batches are being imported
  const settings = {
    skipsExisting,
    refuse: ({ line, path }: LineDraft, reason: string): never => {
      throw atLine(line, `${path}: ${reason}`);
    },
  };
  const insert = async (drafts: readonly LineDraft[]): Promise<number> => {
    const { listening, model, database, config } = context;
    if (listening && drafts.some(({ type }) => isListenedTo(model, type)))
      return listening((scope) => insertListening(scope, drafts, settings));
    return database.transaction(config.TRANSACTION_TIMEOUT, (db) =>
      insertPlaced({ ...values, db }, drafts, settings),
    );
  };
  const write = async (drafts: readonly LineDraft[]): Promise<void> => {
    const created = await insert(drafts);
    counts.created += created;
    counts.existing += drafts.length - created;
    counts.line = drafts.at(-1)?.line.number ?? counts.line;
    onProgress?.(counts);
    await analyzing;
    analyzing = keepStatistics(counts.created);
    analyzing.catch(() => {}); // the error is thrown by a later `await`
  };
  let writing = Promise.resolve();
  try {
    for await (const lines of lineBatches(input)) {
      if (signal?.aborted) break;
      const drafts = await draftsOfLines(values, lines, { from, areStored });
      await writing;
      writing = write(drafts);
      writing.catch(() => {}); // the error is thrown by a later `await`
    }
  } finally {
    await writing; // an error in an earlier line takes precedence
  }
  await analyzing;
  await keepStatistics(counts.created, true);
}
