import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../../db/database.ts';
import type { ConnectionApart } from '../../db/driver.ts';
import { stateOf } from '../../db/errors.ts';
import { Unavailable } from '../../errors.ts';
import { beforeAllDocuments, type DocumentPlace } from '../documents/document-place.ts';
import {
  lockAsBuilder,
  lockOutBuilders,
  lockSearchIndex,
  tryLockSearchIndexes,
} from '../row-locks/advisory-locks.ts';
import { typesWithText } from './file-words.ts';
import { layingRows } from './lay-rows.ts';
import {
  analysis,
  buildBeginning,
  catchUpQuery,
  changedQuery,
  changesOfCatchUp,
  dropIndexes,
  emptySieve,
  goOnQuery,
  type IndexOfIndex,
  indexesQuery,
  indexing,
  isUnderWayQuery,
  keysOf,
  laidQuery,
  leaveOutQuery,
  requireUnderWay,
  settingsQuery,
  sieve,
  sieveQuery,
  swap,
  takeChangesQuery,
  vacuum,
  viewQuery,
} from './next-index.ts';
import { faultOf, inHalves, setDocumentAside } from './set-aside.ts';

interface BuildSettings {
  readonly textTypes?: string;
  readonly connections?: number;
  /** How many documents one statement lays: about a second. */
  readonly documentsOfSlice?: number;
  readonly onProgress: (documents: number) => void;
  readonly signal: AbortSignal;
}

interface BuiltIndex {
  readonly documents: number;
  /** Whether the index is in its place; otherwise the next run goes on. */
  readonly isDone: boolean;
}

/** Milliseconds between two attempts to take the place of the index, for which no search may run. */
const patience = 1_000;

const lockTimeout = '55P03';

/** How often an index is tried again after the documents that were its obstacle are set aside. */
const maxAttempts = 100;

/** Documents whose rows are tried together when an index cannot be made. */
const rowsOfSieve = 5_000;

/** Megabytes in which one index is sorted, and all that are made at once. */
const memory = { ofOne: 256, ofAll: 512 };

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
  const [found] = await query(isUnderWayQuery, []);
  await inTransaction(connection, async () => {
    await lockOutBuilders(connection);
    if (found?.isUnderWay) return void (await query(goOnQuery, []));
    const settings = await query(settingsQuery, []);
    await lockSearchIndex(connection);
    await script([buildBeginning, ...settings.map(({ sql }) => sql)].join(';'));
  });
}

type Work = (connection: ConnectionApart, signal: AbortSignal) => Promise<void>;

/** Runs work on several connections, of which one is open; the first failure ends it on all. */
async function together(
  { apart }: Pick<Database, 'apart'>,
  first: ConnectionApart,
  { connections, signal }: { readonly connections: number; readonly signal: AbortSignal },
  work: Work,
): Promise<void> {
  const failed = new AbortController();
  const ending = AbortSignal.any([signal, failed.signal]);
  const beside = async (connection: ConnectionApart) => {
    await lockAsBuilder(connection);
    await work(connection, ending);
  };
  const all = [work(first, ending), ...Array.from({ length: connections - 1 }, () => apart(beside, ending))];
  await Promise.allSettled(all.map((one) => one.catch((error: unknown) => failed.abort(error))));
  ending.throwIfAborted();
}

/** Sets the documents aside whose rows are the cause that an index cannot be made. @returns how many. */
async function sift(connection: ConnectionApart, index: IndexOfIndex, signal: AbortSignal): Promise<number> {
  const { query, script } = connection;
  let place = beforeAllDocuments;
  let count = 0;
  await script(sieve(index));
  while (!signal.aborted) {
    const laid = await query(laidQuery, [place.repository, place.id, rowsOfSieve]);
    const last = laid.at(-1);
    if (!last) break;
    await inHalves(
      laid,
      async (places) => void (await query(sieveQuery, keysOf(places))),
      async (unfit, error) => {
        await query(leaveOutQuery, keysOf([unfit]));
        await setDocumentAside(connection, unfit, error);
        count += 1;
      },
    );
    await script(emptySieve);
    place = last;
  }
  return count;
}

/**
 * Makes an index. Documents that keep it from being made are set aside first. PostgreSQL indexes a deleted row as long as
 * an older snapshot of another connection may see it, so the index is tried again until those have ended.
 */
async function makeIndex(
  connection: ConnectionApart,
  index: IndexOfIndex,
  { sql, signal }: { readonly sql: string; readonly signal: AbortSignal },
): Promise<void> {
  let isSifted = false;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await connection.script(sql);
    } catch (error) {
      if (faultOf(error) !== 'data' || attempt > maxAttempts) throw error;
      if (!isSifted && (await sift(connection, index, signal)) === 0) throw error;
      if (isSifted) await wait(patience, undefined, { signal });
      isSifted = true;
    }
  }
}

function makingIndexes(indexes: readonly IndexOfIndex[], connections: number): Work {
  const left = indexes.entries();
  const megabytes = Math.min(memory.ofOne, Math.floor(memory.ofAll / connections));
  return async (connection, signal) => {
    for (const [nth, index] of left) {
      if (signal.aborted) return;
      await makeIndex(connection, index, { sql: indexing(index, nth, megabytes), signal });
    }
  };
}

const changedDocuments = ({ query }: ConnectionApart): Promise<DocumentPlace[]> => query(changedQuery, []);

/** Catches up with changed documents, in transactions of its own; those that cannot be indexed are set aside. */
async function catchUpApart(connection: ConnectionApart): Promise<void> {
  const { query } = connection;
  const locked = (work: () => Promise<unknown>): Promise<void> =>
    inTransaction(connection, async () => {
      await lockSearchIndex(connection);
      await work();
    });
  const write = (places: readonly DocumentPlace[]) => locked(() => query(catchUpQuery, keysOf(places)));
  const leaveOut = (place: DocumentPlace, error: unknown) =>
    locked(async () => {
      await query(takeChangesQuery, keysOf([place]));
      await query(leaveOutQuery, keysOf([place]));
      await setDocumentAside(connection, place, error);
    });
  let count: number;
  do {
    const changed = await changedDocuments(connection);
    count = changed.length;
    if (count > 0) await inHalves(changed, write, leaveOut);
  } while (count === changesOfCatchUp);
}

async function takePlace(connection: ConnectionApart, indexes: readonly IndexOfIndex[]): Promise<void> {
  const { query, script } = connection;
  await catchUpApart(connection);
  await inTransaction(connection, async () => {
    await requireUnderWay(connection);
    await lockSearchIndex(connection);
    for (;;) {
      const changed = await changedDocuments(connection);
      if (changed.length === 0) break;
      await query(catchUpQuery, keysOf(changed));
    }
    const [view] = await query(viewQuery, []);
    await script(`SET LOCAL lock_timeout = ${2 * patience}; ${swap(view?.sql ?? '', indexes)}`);
  });
}

/**
 * Searches wait for those that run longer than usual no longer than an attempt lasts. The next attempt also sets
 * a document aside that changed at the last moment and cannot be indexed.
 */
async function takePlaceInTime(
  connection: ConnectionApart,
  indexes: readonly IndexOfIndex[],
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    try {
      return await takePlace(connection, indexes);
    } catch (error) {
      if (stateOf(error) !== lockTimeout && faultOf(error) !== 'data') throw error;
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
  {
    onProgress,
    signal,
    textTypes = typesWithText(),
    connections = 1,
    documentsOfSlice = 5_000,
  }: BuildSettings,
): Promise<BuiltIndex> {
  let documents = 0;
  const onSlice = (count: number) => {
    documents += count;
    onProgress(documents);
  };
  const build = async (connection: ConnectionApart): Promise<void> => {
    const { query, script } = connection;
    const atOnce = (work: Work) => together(database, connection, { connections, signal }, work);
    if (!(await tryLockSearchIndexes(connection)))
      throw new Unavailable(
        'another process builds the search index, or makes indexes of it: try again later',
      );
    await begin(connection);
    await atOnce(await layingRows(connection, { textTypes, documentsOfSlice, onSlice }));
    await requireUnderWay(connection);
    await script(dropIndexes);
    await script(vacuum);
    const indexes = await query(indexesQuery, []);
    await atOnce(makingIndexes(indexes, connections));
    await requireUnderWay(connection);
    await script(analysis);
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
