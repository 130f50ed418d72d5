import { setTimeout as wait } from 'node:timers/promises';
import { coalesced } from '../../db/coalesced.ts';
import type { Database } from '../../db/database.ts';
import { ReadAgain } from '../../db/errors.ts';
import type { IndexState, SearchIndex } from '../../scope.ts';
import { lockSearchIndex } from '../row-locks/advisory-locks.ts';
import { awaitFiles, untilLongest } from './await-files.ts';
import {
  changesOfBatch,
  indexOldestChanges,
  indexVisibleChanges,
  type JobTypes,
  oldestChange,
  pendingChanges,
  type TakenChanges,
} from './search-changes.ts';
import { youngStatistics } from './young-statistics.ts';

/** Milliseconds that a search waits for the index at most. */
const longestWait = 1_000;

/** Milliseconds that a search waits for what its own transaction has written, which no other can index. */
const longestOwnWait = 10_000;

/** Seconds that a transaction of the index may last. */
const longestBatch = 30;

/** Milliseconds between a write and the indexing of it, within which the next writes join it. */
const pause = 50;

/** How long the index rests while writes go on, as a multiple of its last transaction. */
const restPerWork = { usual: 6, behind: 1 } as const;

/** Milliseconds by which the index may be behind before its rests are shorter. */
const usualLag = 5_000;

/** Milliseconds after which changes are looked for that no write of this process has made known. */
const interval = 5_000;

export interface RunningIndex extends SearchIndex {
  close(): Promise<void>;
}

interface IndexSettings extends Required<JobTypes> {
  readonly onError: (error: unknown) => void;
}

const caughtUp: IndexState = { isCaughtUp: true, behind: 0 };

const lagging = (milliseconds: number): IndexState => ({
  isCaughtUp: false,
  behind: Math.max(1, Math.ceil(milliseconds)),
});

type IndexDatabase = Pick<Database, 'query' | 'transaction'>;

/** Whether a promise resolves within so many milliseconds. */
async function isDoneWithin(milliseconds: number, done: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  return Promise.race([done.then(() => true), passed]).finally(() => clearTimeout(timer));
}

/**
 * Keeps the search index: a row of `search_change` says that a committed write changed a document, and is
 * deleted in the transaction that writes the document's row of the index. One transaction on the database
 * works at a time; it may be that of any process.
 */
export function createSearchIndex(
  database: IndexDatabase,
  { onError, ...types }: IndexSettings,
): RunningIndex {
  let isClosed = false;
  const takeStatistics = youngStatistics(database, (error) => !isClosed && onError(error));
  const batches = coalesced(async () => {
    const taken = await database.transaction(longestBatch, async (client) => {
      await lockSearchIndex(client);
      return indexOldestChanges(client, types);
    });
    takeStatistics(taken.count);
    return taken;
  });

  async function indexAll(isEnough: () => boolean): Promise<void> {
    while (!isClosed && !isEnough()) if ((await batches.ask()).count < changesOfBatch) return;
  }

  async function isIndexedWithin(milliseconds: number): Promise<boolean> {
    let isOver = false;
    const done = indexAll(() => isOver);
    done.catch(onError); // also when it fails after the wait
    const isDone = await isDoneWithin(milliseconds, done).catch(() => false);
    isOver = true;
    return isDone;
  }

  // While writes keep coming, the index leaves most of the time to them; searches do not wait for its rests.
  const closing = new AbortController();
  let [isAsked, isUnderWay] = [false, false];
  async function runInBackground(): Promise<void> {
    let taken: TakenChanges;
    do {
      isAsked = false;
      const start = performance.now();
      taken = await batches.ask();
      const factor = restPerWork[taken.age < usualLag ? 'usual' : 'behind'];
      const rest = isAsked ? Math.max(pause, factor * (performance.now() - start)) : 0;
      await wait(rest, undefined, { ref: false, signal: closing.signal });
    } while (isAsked || taken.count === changesOfBatch);
  }
  const ask = () => {
    isAsked = true;
    if (isUnderWay || isClosed) return;
    isUnderWay = true;
    wait(pause, undefined, { ref: false, signal: closing.signal })
      .then(runInBackground)
      .catch((error: unknown) => !isClosed && onError(error))
      .finally(() => {
        isUnderWay = false;
      });
  };
  const poll = setInterval(ask, interval).unref();

  const catchUp: SearchIndex['catchUp'] = async (db) => {
    const oldest = await oldestChange(db);
    if (!oldest) return caughtUp;
    const { age, changedAt } = oldest;
    if (db.replica) {
      if (changedAt <= db.replica.wroteAt) throw new ReadAgain('the index lacks what the caller has written');
      return caughtUp;
    }
    return (await isIndexedWithin(longestWait)) ? caughtUp : lagging(age + longestWait);
  };

  // The rows are locked for the search alone: else the index would wait until the transaction ends.
  const withinTransaction: SearchIndex['withinTransaction'] = async (db, search, isWaiting) => {
    const pending = db.aside && (await pendingChanges(db));
    if (!db.aside || !pending) return { found: await search(db.query), state: caughtUp };
    const began = performance.now();
    const areOwn = !pending.areOfOthers || (isWaiting && (await isIndexedWithin(longestWait)));
    const now = performance.now();
    const ownEnd = now + longestOwnWait;
    const end = areOwn ? ownEnd : now + longestWait;
    return db.aside(async (query) => {
      const isDone = await indexVisibleChanges({ query }, { textTypes: types.textTypes, end, ownEnd });
      const waited = performance.now() - began;
      return { found: await search(query), state: isDone ? caughtUp : lagging(pending.age + waited) };
    });
  };

  return {
    catchUp,
    catchUpWithFiles: async (db, jobs) => {
      const state = await catchUp(db);
      const left = await awaitFiles(db, database, { jobs, isOver: untilLongest() });
      return left === undefined ? state : catchUp(db);
    },
    findsAll: async (db, { end, isOver }) => {
      const indexed = async (): Promise<boolean> => {
        while (await oldestChange(db)) {
          if (await isIndexedWithin(Math.min(longestWait, end - performance.now()))) return true;
          if (isOver()) return false;
          await wait(pause);
        }
        return true;
      };
      if (!(await indexed())) return false;
      const left = await awaitFiles(db, database, { isOver, isPatient: true });
      return left === undefined || (left === 0 && (await indexed()));
    },
    withinTransaction,
    changed: ask,
    close: async () => {
      isClosed = true;
      clearInterval(poll);
      closing.abort();
      await batches.settled();
    },
  };
}
