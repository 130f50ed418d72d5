import pMap from 'p-map';
import { AppError } from '../errors.ts';
import { childrenByName, type StoredChild } from '../loaders/documents/unchecked.ts';
import { commentRootType } from '../model/comments/comment-tree.ts';
import { facetsOf } from '../model/facets-of.ts';
import { type InsertOutcome, insertDocuments } from '../store/documents/inserts/insert-documents.ts';
import { beforeWrite, isListenedTo } from '../store/extensions/before-write.ts';
import { type Draft, draftOf } from './drafts.ts';
import type { ImportEntry } from './entries.ts';
import { chosenName } from './names.ts';
import { Skipped } from './skipped.ts';
import type { ImportState } from './state.ts';

/**
 * The number of files that are read concurrently. It is high because most of the time is spent waiting for the disk.
 */
const readers = 16;

/**
 * Counts an entry that already has a document. If the entry is a folder, the entries in it are queued for import.
 */
function keepExisting(
  { context, counts, skip, pending }: ImportState,
  { path, stats }: ImportEntry,
  child: StoredChild,
): void {
  const isFolder = facetsOf(context.model, child).includes('Folderish');
  if (isFolder !== stats.isDirectory() || child.type === commentRootType) {
    skip(path, `the existing document with that name is a ${child.type}`);
    return;
  }
  counts.existing += 1;
  if (isFolder) pending.push({ path, id: child.id });
}

// Reads the entries of a batch that have no document yet. After a failure, `pMap` starts reading no further files and
// rejects immediately. Blobs that are being written at that time remain unreferenced until a sweep deletes them.
async function draftsOf(state: ImportState, batch: readonly ImportEntry[]): Promise<Draft[]> {
  const { context, skip } = state;
  const keys = batch.flatMap(({ parentId, claim }) =>
    [claim.name, ...(claim.rivals.length > 1 ? [claim.fallback] : [])].map((name) => ({ parentId, name })),
  );
  const childAt = await childrenByName(context.database, context.repository, keys);
  const drafts = await pMap(
    batch,
    async (entry) => {
      const { parentId, file, claim } = entry;
      const name = chosenName(file, claim, childAt({ parentId, name: claim.name })?.title);
      const child = childAt({ parentId, name });
      if (child) return keepExisting(state, entry, child);
      try {
        return await draftOf(context, entry, name);
      } catch (error) {
        if (!(error instanceof Skipped)) throw error;
        return skip(entry.path, error.message);
      }
    },
    { concurrency: readers },
  );
  return drafts.filter((draft) => draft !== undefined);
}

function settle(state: ImportState, result: InsertOutcome<Draft>): void {
  const { entry, type, bytes } = result.draft;
  if ('reason' in result) state.skip(entry.path, result.reason);
  else if ('existing' in result) keepExisting(state, entry, result.existing);
  else {
    state.counts.created[type] += 1;
    state.counts.bytes += bytes;
    if (type === 'Folder') state.pending.push({ path: entry.path, id: result.id });
  }
}

/** Thrown if an extension refuses a document. The transaction is rolled back, with all that the extension has done. */
class Refused extends Error {
  readonly draft: Draft;
  constructor(draft: Draft, reason: string) {
    super(reason);
    this.draft = draft;
  }
}

/** Inserts documents in one transaction, after the listeners of extensions have checked and completed them. */
function insertListening(
  { context }: ImportState,
  listening: NonNullable<ImportState['context']['listening']>,
  drafts: readonly Draft[],
): Promise<InsertOutcome<Draft>[]> {
  return listening((scope) =>
    insertDocuments(scope.db, context, drafts, async (draft, row) => {
      try {
        return await beforeWrite(scope, null, row);
      } catch (error) {
        throw error instanceof AppError ? new Refused(draft, error.message) : error;
      }
    }),
  );
}

/** Inserts documents. If an extension refuses one of them, it is skipped, and the others are inserted again. */
async function insert(state: ImportState, drafts: readonly Draft[]): Promise<InsertOutcome<Draft>[]> {
  const { config, database, model, listening } = state.context;
  if (drafts.length === 0) return [];
  if (!listening || !drafts.some(({ type }) => isListenedTo(model, type)))
    return database.transaction(config.TRANSACTION_TIMEOUT, (client) =>
      insertDocuments(client, state.context, drafts),
    );
  try {
    return await insertListening(state, listening, drafts);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { draft, message } = error;
    state.skip(draft.entry.path, message);
    return insert(
      state,
      drafts.filter((each) => each !== draft),
    );
  }
}

/**
 * Imports entries in one transaction. Their parent folders must already have documents. Imported folders are added to
 * the pending folders.
 */
export async function importBatch(state: ImportState, batch: readonly ImportEntry[]): Promise<void> {
  const drafts = await draftsOf(state, batch);
  for (const result of await insert(state, drafts)) settle(state, result);
  state.progress();
}
