import { setTimeout as wait } from 'node:timers/promises';
import type { ConnectionApart, Database } from '../../db/database.ts';
import { Unavailable } from '../../errors.ts';
import { lockSearchIndex, tryLockSearchIndexes } from '../row-locks/advisory-locks.ts';
import { typesWithText } from './file-words.ts';
import {
  buildBeginning,
  catchUpQuery,
  changesOfCatchUp,
  type IndexOfIndex,
  indexesQuery,
  indexing,
  isUnderWayQuery,
  settingsQuery,
  sliceQuery,
  swap,
  vacuum,
  viewQuery,
} from './next-index.ts';

export interface BuildSettings {
  /** Which files have text: what `typesWithText` returns. */
  readonly textTypes?: string;
  /** How many documents this run has laid so far. */
  readonly onProgress: (documents: number) => void;
  readonly signal: AbortSignal;
}

export interface BuiltIndex {
  readonly documents: number;
  /** Whether the index is in its place; otherwise the next run goes on. */
  readonly isDone: boolean;
}

/** Milliseconds between two attempts to take the place of the index, for which no search may run. */
const patience = 1_000;

const lockTimeout = '55P03';

async function inTransaction<T>({ script }: ConnectionApart, work: () => Promise<T>): Promise<T> {
  await script('BEGIN');
  try {
    const result = await work();
    await script('COMMIT');
    return result;
  } catch (error) {
    await script('ROLLBACK').catch(() => undefined); // the connection may be at its end
    throw error;
  }
}

async function begin(connection: ConnectionApart): Promise<void> {
  const { query, script } = connection;
  const [found] = (await query(isUnderWayQuery, [])) as Array<{ isUnderWay: boolean }>;
  if (found?.isUnderWay) return;
  const settings = (await query(settingsQuery, [])) as Array<{ sql: string }>;
  await inTransaction(connection, async () => {
    await lockSearchIndex(connection);
    await script([buildBeginning, ...settings.map(({ sql }) => sql)].join(';'));
  });
}

async function lay(
  { query }: ConnectionApart,
  textTypes: string,
  onSlice: (documents: number) => void,
): Promise<void> {
  for (;;) {
    const [slice] = (await query(sliceQuery, [textTypes])) as Array<{ count: number; isUnderWay: boolean }>;
    if (!slice?.isUnderWay)
      throw new Unavailable('the language of the search index has changed: begin again');
    if (slice.count === 0) return;
    onSlice(slice.count);
  }
}

/** In a transaction. @returns how many changed documents there were, fewer than a whole batch at the end. */
async function catchUp(connection: ConnectionApart): Promise<number> {
  await lockSearchIndex(connection);
  const [taken] = (await connection.query(catchUpQuery, [])) as Array<{ count: number }>;
  return taken?.count ?? 0;
}

async function takePlace(connection: ConnectionApart, indexes: readonly IndexOfIndex[]): Promise<void> {
  const { query, script } = connection;
  while ((await inTransaction(connection, () => catchUp(connection))) === changesOfCatchUp);
  await inTransaction(connection, async () => {
    while ((await catchUp(connection)) > 0);
    const [view] = (await query(viewQuery, [])) as Array<{ sql: string }>;
    await script(`SET LOCAL lock_timeout = ${2 * patience}; ${swap(view?.sql ?? '', indexes)}`);
  });
}

/** Searches wait for those that run longer than usual no longer than an attempt lasts. */
async function takePlaceInTime(
  connection: ConnectionApart,
  indexes: readonly IndexOfIndex[],
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    try {
      return await takePlace(connection, indexes);
    } catch (error) {
      if ((error as { code?: unknown }).code !== lockTimeout) throw error;
      await wait(patience, undefined, { signal });
    }
  }
}

/**
 * Builds the search index anew beside the one that searches read, and puts it in its place; the server may
 * serve meanwhile. A build that was stopped goes on where it ended.
 * @throws Unavailable while another process builds it, or makes indexes of it
 */
export async function buildIndex(
  database: Pick<Database, 'apart'>,
  { onProgress, signal, textTypes = typesWithText() }: BuildSettings,
): Promise<BuiltIndex> {
  let documents = 0;
  const build = async (connection: ConnectionApart): Promise<void> => {
    const { query, script } = connection;
    if (!(await tryLockSearchIndexes(connection)))
      throw new Unavailable(
        'another process builds the search index, or makes indexes of it: try again later',
      );
    await begin(connection);
    await lay(connection, textTypes, (count) => {
      documents += count;
      onProgress(documents);
    });
    await script(vacuum);
    const indexes = (await query(indexesQuery, [])) as IndexOfIndex[];
    await script(indexing(indexes));
    await takePlaceInTime(connection, indexes, signal);
  };
  try {
    await database.apart(build, signal);
    return { documents, isDone: true };
  } catch (error) {
    if (!signal.aborted) throw error;
    return { documents, isDone: false };
  }
}
