import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../../db/database.ts';
import type { ConnectionApart } from '../../db/driver.ts';
import { stateOf } from '../../db/errors.ts';
import { Unavailable } from '../../errors.ts';
import { plainAnalysis, type WordAnalysis } from '../../words/atoms.ts';
import { beforeAllDocuments, type DocumentPlace, keysOf } from '../documents/document-place.ts';
import {
  lockAsBuilder,
  lockOutBuilders,
  lockSearchIndex,
  tryLockSearchIndexes,
} from '../row-locks/advisory-locks.ts';
import { wordsOfDocuments } from './document-words.ts';
import { typesWithText } from './file-words.ts';
import {
  analyze,
  buildBeginning,
  catchUpQuery,
  changedQuery,
  changesOfCatchUp,
  continueQuery,
  dropIndexes,
  emptySieve,
  type IndexOfIndex,
  indexesQuery,
  indexing,
  isUnderWayQuery,
  leaveOutQuery,
  requireUnderWay,
  settingsQuery,
  sieve,
  sieveQuery,
  swap,
  takeChangesQuery,
  vacuum,
  viewQuery,
  writtenDocumentsQuery,
} from './next-index.ts';
import { faultOf, inHalves, setDocumentAside } from './set-aside.ts';
import { addTitleWords } from './title-words.ts';
import { rowWriter } from './write-rows.ts';

/** Settings for building the index. */
interface BuildSettings {
  readonly textTypes?: string;
  readonly analysis?: WordAnalysis | undefined;
  readonly connections?: number;
  /** The number of documents whose rows one statement writes. With the default, a statement takes about a second. */
  readonly documentsOfSlice?: number;
  readonly onProgress: (documents: number) => void;
  readonly signal: AbortSignal;
}

interface BuiltIndex {
  readonly documents: number;
  /** Whether the new index is in use; if not, the next build continues this one. */
  readonly isDone: boolean;
}

/** The number of milliseconds between two attempts to replace the index. During an attempt, no search can run. */
const attemptInterval = 1_000;

const lockTimeout = '55P03';

/**
 * The maximum number of attempts to create an index. Before each further attempt, the documents that prevented it are
 * set aside.
 */
const maxAttempts = 100;

/** The number of documents whose rows are tried together in order to find those that prevent an index. */
const rowsOfSieve = 5_000;

/**
 * The maximum memory for sorting, in megabytes: for one index, and for all indexes that are being created at the same
 * time.
 */
const memory = { ofOne: 256, ofAll: 512 };

async function inTransaction<T>({ script }: ConnectionApart, work: () => Promise<T>): Promise<T> {
  await script('BEGIN');
  try {
    const result = await work();
    await script('COMMIT');
    return result;
  } catch (error) {
    await script('ROLLBACK').catch(() => undefined); // the connection may have ended
    throw error;
  }
}

/** Begins a build, or continues one that was stopped. */
async function begin(connection: ConnectionApart, { key }: WordAnalysis): Promise<void> {
  const { query, script } = connection;
  const [found] = await query(isUnderWayQuery, [key]);
  await inTransaction(connection, async () => {
    await lockOutBuilders(connection);
    if (found?.isUnderWay) return void (await query(continueQuery, []));
    const settings = await query(settingsQuery, []);
    await lockSearchIndex(connection);
    await script([buildBeginning(key), ...settings.map(({ sql }) => sql)].join(';'));
  });
}

type Work = (connection: ConnectionApart, signal: AbortSignal) => Promise<void>;

/** Runs a function on several connections, one of which is already open. The first failure stops it on all of them. */
async function together(
  { apart }: Pick<Database, 'apart'>,
  first: ConnectionApart,
  { connections, signal }: { readonly connections: number; readonly signal: AbortSignal },
  work: Work,
): Promise<void> {
  const failed = new AbortController();
  const ending = AbortSignal.any([signal, failed.signal]);
  const onAnother = async (connection: ConnectionApart) => {
    await lockAsBuilder(connection);
    await work(connection, ending);
  };
  const all = [
    work(first, ending),
    ...Array.from({ length: connections - 1 }, () => apart(onAnother, ending)),
  ];
  await Promise.allSettled(all.map((one) => one.catch((error: unknown) => failed.abort(error))));
  ending.throwIfAborted();
}

/**
 * Sets aside the documents whose rows prevent an index.
 * @returns the number of these documents
 */
async function sift(connection: ConnectionApart, index: IndexOfIndex, signal: AbortSignal): Promise<number> {
  const { query, script } = connection;
  let place = beforeAllDocuments;
  let count = 0;
  await script(sieve(index));
  while (!signal.aborted) {
    const written = await query(writtenDocumentsQuery, [place.repository, place.id, rowsOfSieve]);
    const last = written.at(-1);
    if (!last) break;
    await inHalves(
      written,
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
 * Creates an index. If documents prevent it, they are set aside, and another attempt is made. PostgreSQL also indexes
 * deleted rows that an older snapshot of another connection could still see, so the attempts are repeated until those
 * snapshots have ended.
 */
async function createIndex(
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
      if (isSifted) await wait(attemptInterval, undefined, { signal });
      isSifted = true;
    }
  }
}

function indexCreation(indexes: readonly IndexOfIndex[], connections: number): Work {
  const left = indexes.entries();
  const megabytes = Math.min(memory.ofOne, Math.floor(memory.ofAll / connections));
  return async (connection, signal) => {
    for (const [nth, index] of left) {
      if (signal.aborted) return;
      await createIndex(connection, index, { sql: indexing(index, nth, megabytes), signal });
    }
  };
}

const changedDocuments = ({ query }: ConnectionApart): Promise<DocumentPlace[]> => query(changedQuery, []);

/** Writes the rows of documents that changed during the build. */
async function catchUp(
  connection: ConnectionApart,
  places: readonly DocumentPlace[],
  analysis: WordAnalysis,
): Promise<void> {
  const keys = keysOf(places);
  const { columns, ofTitles } = await wordsOfDocuments(connection, keys, analysis);
  await connection.query(catchUpQuery, [...keys, ...columns]);
  await addTitleWords(connection, ofTitles);
}

/** Catches up in batches, each in its own transaction. Documents that cannot be indexed are set aside. */
async function catchUpApart(connection: ConnectionApart, analysis: WordAnalysis): Promise<void> {
  const { query } = connection;
  const locked = (work: () => Promise<unknown>): Promise<void> =>
    inTransaction(connection, async () => {
      await lockSearchIndex(connection);
      await work();
    });
  const write = (places: readonly DocumentPlace[]) => locked(() => catchUp(connection, places, analysis));
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

/**
 * Replaces the old index. Most changes are written beforehand, so that the last transaction, which blocks the old
 * index, has little left to do.
 */
async function replaceIndex(
  connection: ConnectionApart,
  indexes: readonly IndexOfIndex[],
  analysis: WordAnalysis,
): Promise<void> {
  const { query, script } = connection;
  await catchUpApart(connection, analysis);
  await inTransaction(connection, async () => {
    await requireUnderWay(connection);
    await lockSearchIndex(connection);
    for (;;) {
      const changed = await changedDocuments(connection);
      if (changed.length === 0) break;
      await catchUp(connection, changed, analysis);
    }
    const [view] = await query(viewQuery, []);
    await script(
      `SET LOCAL lock_timeout = ${2 * attemptInterval}; ${swap(view?.sql ?? '', indexes, analysis.key)}`,
    );
  });
}

/**
 * Replaces the old index, which is possible only while no search is running. Each attempt waits only briefly for
 * running searches, because new searches queue behind the waiting transaction. An attempt also fails if a document that
 * changed at the last moment cannot be indexed; that document is set aside before the next attempt.
 */
async function replaceIndexWithRetries(
  connection: ConnectionApart,
  indexes: readonly IndexOfIndex[],
  { analysis, signal }: { readonly analysis: WordAnalysis; readonly signal: AbortSignal },
): Promise<void> {
  for (;;) {
    try {
      return await replaceIndex(connection, indexes, analysis);
    } catch (error) {
      if (stateOf(error) !== lockTimeout && faultOf(error) !== 'data') throw error;
      await wait(attemptInterval, undefined, { signal });
    }
  }
}

/**
 * Builds a new search index while the server uses the old one, and then replaces the old one. A build that was stopped
 * is continued where it ended.
 *
 * Guarantee: the new index contains every document that can be indexed. The rows of all documents are written in
 * slices, ordered by key, and the position is stored with each slice. Meanwhile, a trigger records which documents
 * change; their rows are written again before the old index is replaced, in one transaction that holds the lock on the
 * index. Without these records, the row of a document that changed after its slice was written would remain stale.
 * @throws Unavailable while another process builds the index or creates indexes on it
 */
export async function buildIndex(
  database: Pick<Database, 'apart'>,
  {
    onProgress,
    signal,
    textTypes = typesWithText(),
    analysis = plainAnalysis,
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
        'Another process is building the search index or creating its indexes. Try again later.',
      );
    await begin(connection, analysis);
    await atOnce(await rowWriter(connection, { textTypes, analysis, documentsOfSlice, onSlice }));
    await requireUnderWay(connection);
    await script(dropIndexes);
    await script(vacuum);
    const indexes = await query(indexesQuery, []);
    await atOnce(indexCreation(indexes, connections));
    await requireUnderWay(connection);
    await script(analyze);
    await replaceIndexWithRetries(connection, indexes, { analysis, signal });
  };
  try {
    await database.apart(build, signal);
    return { documents, isDone: true };
  } catch (error) {
    if (!signal.aborted) throw error;
    return { documents, isDone: false };
  }
}
