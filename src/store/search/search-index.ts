import { setTimeout as wait } from 'node:timers/promises';
import { coalesced } from '../../db/coalesced.ts';
import type { Database } from '../../db/database.ts';
import { ReadAgain } from '../../db/errors.ts';
import type { IndexState, SearchIndex } from '../../services.ts';
import type { DocumentPlace } from '../documents/document-place.ts';
import { lockFastLane, lockSlowLane } from '../row-locks/advisory-locks.ts';
import { awaitFiles, untilMaxWait } from './await-files.ts';
import {
  changesOfBatch,
  indexNextChanges,
  indexVisibleChanges,
  type JobTypes,
  type Lane,
  NotIndexed,
  oldestChange,
  pendingChanges,
  type TakenChanges,
} from './search-changes.ts';
import { faultOf, putChangesLast, setAsideReason, setChangesAside, slowChanges } from './set-aside.ts';
import { youngStatistics } from './young-statistics.ts';

/** The maximum number of milliseconds that a search waits for the index. */
const maxWait = 1_000;

/**
 * The maximum number of milliseconds that a search waits for changes made by its own transaction, which nothing else
 * can index.
 */
const maxOwnWait = 10_000;

/**
 * The maximum number of seconds for a transaction that indexes. It may spend most of that time waiting for the lock of
 * its lane.
 */
const maxBatch = 60;

/**
 * The target duration of a batch, in milliseconds. If a batch takes longer than `long`, the next one is half as large;
 * if it takes less than `short`, the next one is twice as large.
 */
const timesOfBatch = { long: 500, short: 250 } as const;

/**
 * The number of milliseconds between a write and its indexing. The pause allows writes that follow to be indexed
 * together with it.
 */
const pause = 50;

/** How long a lane rests while writes continue, as a multiple of the duration of its last transaction. */
const restPerWork = { usual: 6, behind: 1 } as const;

/**
 * The maximum duration of a rest, in milliseconds. It is limited so that documents do not wait long only because the
 * previous batch took long.
 */
const maxRest = 1_000;

/** The lag of the index, in milliseconds, above which its lanes rest for a shorter time. */
const usualLag = 5_000;

/**
 * The number of milliseconds between two checks for changes by other processes, which are not announced to this one.
 */
const interval = 5_000;

/** The search index as used by one process. It indexes documents in the background until it is closed. */
export interface RunningIndex extends SearchIndex {
  close(): Promise<void>;
}

interface IndexSettings extends Required<JobTypes> {
  readonly onError: (error: unknown) => void;
  /** Called for each document that is set aside because it cannot be indexed. */
  readonly onSetAside: (document: DocumentPlace, reason: string) => void;
}

const caughtUp: IndexState = { isCaughtUp: true, behind: 0 };

const lagging = (milliseconds: number): IndexState => ({
  isCaughtUp: false,
  behind: Math.max(1, Math.ceil(milliseconds)),
});

type IndexDatabase = Pick<Database, 'query' | 'transaction'>;

/** Thrown when the changes that a search inside a transaction has to find could not be indexed. */
class NotVisible extends Error {
  readonly reason: unknown;
  constructor(reason: unknown) {
    super('changes were not indexed');
    this.reason = reason;
  }
}

/** Whether a promise resolves within the given number of milliseconds. */
async function isDoneWithin(milliseconds: number, done: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  return Promise.race([done.then(() => true), passed]).finally(() => clearTimeout(timer));
}

/**
 * Returns a function that indexes the next batch in a lane. The size of the batches is adjusted to the time they take.
 */
function batchesOf(
  lane: Lane,
  database: IndexDatabase,
  types: JobTypes,
  onSetAside: IndexSettings['onSetAside'],
): () => Promise<TakenChanges> {
  const lock = lane === 'fast' ? lockFastLane : lockSlowLane;
  let limit: number = lane === 'fast' ? changesOfBatch : 1;
  /**
   * Whether the last batch encountered a locked row, whose change was moved to the end. If so, the next batch takes the
   * oldest changes.
   */
  let isBlocked = false;
  const locked = <T>(work: Parameters<typeof database.transaction<T>>[1]): Promise<T> =>
    database.transaction(maxBatch, async (client) => {
      await lock(client);
      return work(client);
    });

  /**
   * After a batch of several documents in the slow lane has failed, ever smaller batches are tried to find the document
   * at fault.
   */
  const afterFailure = async ({ changes: { ids, documents }, reason }: NotIndexed): Promise<void> => {
    const fault = faultOf(reason);
    if (fault === undefined) throw reason;
    if (documents > 1) limit = Math.max(1, Math.floor(Math.min(limit, ids.length) / 2));
    if (lane === 'fast') return locked((client) => slowChanges(client, ids));
    if (documents > 1) return;
    if (fault === 'lock') {
      isBlocked = true;
      return locked((client) => putChangesLast(client, ids));
    }
    const document = await locked((client) => setChangesAside(client, ids, reason));
    if (document) onSetAside(document, setAsideReason(reason));
  };

  return async () => {
    let began = performance.now();
    try {
      const taken = await locked((client) => {
        began = performance.now();
        return indexNextChanges(client, { lane, limit, inOrder: isBlocked }, types);
      });
      isBlocked = false;
      const time = performance.now() - began;
      if (time > timesOfBatch.long) limit = Math.max(1, Math.floor(limit / 2));
      else if (time < timesOfBatch.short) limit = Math.min(changesOfBatch, 2 * limit);
      return taken;
    } catch (error) {
      if (!(error instanceof NotIndexed)) throw error;
      await afterFailure(error);
      return { count: 0, age: 0, hasMore: true, hasSlow: true };
    }
  };
}

/** Indexes the changes in a lane in the background. `ask` starts this, unless it is already running. */
interface Background {
  readonly ask: () => void;
}

/**
 * Indexes in the background. While writes continue, the lane rests between its batches and leaves most of the time to
 * the writes. Searches do not wait for the end of a rest: they start batches themselves.
 * @param index indexes one batch
 */
function background(
  index: () => Promise<TakenChanges>,
  { signal, onError }: { readonly signal: AbortSignal; readonly onError: (error: unknown) => void },
): Background {
  let [isAsked, isUnderWay] = [false, false];
  const rest = (milliseconds: number) => wait(milliseconds, undefined, { ref: false, signal });
  async function run(): Promise<void> {
    let taken: TakenChanges;
    await rest(pause);
    do {
      isAsked = false;
      const start = performance.now();
      taken = await index();
      const factor = restPerWork[taken.age < usualLag ? 'usual' : 'behind'];
      const work = performance.now() - start;
      await rest(isAsked ? Math.min(maxRest, Math.max(pause, factor * work)) : 0);
    } while (isAsked || taken.hasMore);
  }
  return {
    ask: () => {
      isAsked = true;
      if (isUnderWay || signal.aborted) return;
      isUnderWay = true;
      run()
        .catch((error: unknown) => !signal.aborted && onError(error))
        .finally(() => {
          isUnderWay = false;
        });
    },
  };
}

/**
 * Keeps the search index up to date. In the transaction of a write, a trigger adds a row to `search_change`; the
 * transaction that indexes the document deletes that row. A committed change is thus always either recorded or indexed,
 * even if a process dies. Each lane has at most one transaction at a time in the whole database, across all processes.
 * A document that cannot be indexed is set aside, so that it does not block the others.
 */
export function createSearchIndex(
  database: IndexDatabase,
  { onError, onSetAside, ...types }: IndexSettings,
): RunningIndex {
  const closing = new AbortController();
  const { signal } = closing;
  const takeStatistics = youngStatistics(database, (error) => !signal.aborted && onError(error));
  const batches = (lane: Lane) => {
    const index = batchesOf(lane, database, types, onSetAside);
    return coalesced(async () => {
      const taken = await index();
      takeStatistics(taken.count);
      return taken;
    });
  };
  const lanes = { fast: batches('fast'), slow: batches('slow') };

  /**
   * Indexes all changes in the fast lane, then those in the slow lane that the user's searches wait for. Does not wait
   * for changes that arrive in the fast lane in the meantime.
   */
  async function indexAll(isEnough: () => boolean, user: string | undefined): Promise<void> {
    const isOver = () => signal.aborted || isEnough();
    let taken: TakenChanges | undefined;
    while (!isOver() && (taken?.hasMore ?? true)) taken = await lanes.fast.ask();
    while (!isOver() && taken?.hasSlow) {
      if (user !== undefined && !(await pendingChanges(database, user))?.areSlow) return;
      taken = await lanes.slow.ask();
    }
  }

  async function isIndexedWithin(milliseconds: number, user?: string): Promise<boolean> {
    let isOver = false;
    const done = indexAll(() => isOver, user);
    done.catch(onError); // also reports a failure that occurs after the wait
    const isDone = await isDoneWithin(milliseconds, done).catch(() => false);
    isOver = true;
    return isDone;
  }

  const inBackground = { signal, onError };
  const slowLane = background(lanes.slow.ask, inBackground);
  const { ask } = background(async () => {
    const taken = await lanes.fast.ask();
    if (taken.hasSlow) slowLane.ask();
    return taken;
  }, inBackground);
  const poll = setInterval(ask, interval).unref();

  const catchUp: SearchIndex['catchUp'] = async (db, user) => {
    const oldest = await oldestChange(db, user);
    if (!oldest) return caughtUp;
    const { age, changedAt } = oldest;
    if (db.replica) {
      if (changedAt <= db.replica.wroteAt)
        throw new ReadAgain("The index does not contain the caller's changes yet.");
      return caughtUp;
    }
    return (await isIndexedWithin(maxWait, user)) ? caughtUp : lagging(age + maxWait);
  };

  // Finds the caller's uncommitted changes. Their index rows are written after a savepoint, which is rolled back after
  // the search: otherwise, indexing would have to wait for their locks until the caller's transaction ends. A document
  // that cannot be indexed must not make the search fail, so the search is repeated: first without the changes of
  // others, then without the caller's own.
  const withinTransaction: SearchIndex['withinTransaction'] = async (db, search, { user, isWaiting }) => {
    const { aside } = db;
    const pending = aside && (await pendingChanges(db, user));
    if (!aside || !pending) return { found: await search(db.query), state: caughtUp };
    const began = performance.now();
    const areOwn = !pending.areOfOthers || (isWaiting && (await isIndexedWithin(maxWait, user)));
    const stateNow = (isDone: boolean): IndexState =>
      isDone ? caughtUp : lagging(pending.age + performance.now() - began);
    const withChanges = (ofOthers: boolean) => {
      const now = performance.now();
      const ownEnd = now + maxOwnWait;
      const end = areOwn ? ownEnd : now + maxWait;
      const times = ofOthers ? { end, ownEnd } : { isOwn: true, ownEnd };
      return aside(async (query) => {
        const isDone = await indexVisibleChanges({ query }, { ...types, ...times }).catch((error: unknown) =>
          Promise.reject(new NotVisible(error)),
        );
        // The fast lane may have discovered large documents while the search was waiting for it.
        const areSlow = !areOwn && (await pendingChanges({ query }, user))?.areSlow;
        const state = stateNow(isDone && !areSlow);
        return { found: await search(query), state };
      });
    };
    for (const ofOthers of [true, false]) {
      try {
        return await withChanges(ofOthers);
      } catch (error) {
        if (!(error instanceof NotVisible)) throw error;
        if (faultOf(error.reason) === undefined) throw error.reason;
      }
    }
    return { found: await search(db.query), state: stateNow(false) };
  };

  return {
    catchUp,
    catchUpWithFiles: async (db, { user, jobs }) => {
      const state = await catchUp(db, user);
      const left = await awaitFiles(db, database, { jobs, isOver: untilMaxWait() });
      return left === undefined ? state : catchUp(db);
    },
    findsAll: async (db, { end, isOver }) => {
      const indexed = async (): Promise<boolean> => {
        while (await oldestChange(db)) {
          if (await isIndexedWithin(Math.min(maxWait, end - performance.now()))) return true;
          if (isOver()) return false;
          await wait(pause);
        }
        return true;
      };
      if (!(await indexed())) return false;
      const left = await awaitFiles(db, database, { isOver, waitsForRunner: true });
      return left === undefined || (left === 0 && (await indexed()));
    },
    withinTransaction,
    changed: ask,
    close: async () => {
      clearInterval(poll);
      closing.abort();
      await Promise.all([lanes.fast.settled(), lanes.slow.settled()]);
    },
  };
}
