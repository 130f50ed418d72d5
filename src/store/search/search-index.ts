import { setTimeout as wait } from 'node:timers/promises';
import { coalesced } from '../../db/coalesced.ts';
import type { Database } from '../../db/database.ts';
import { ReadAgain } from '../../db/errors.ts';
import type { IndexState, SearchIndex } from '../../services.ts';
import type { DocumentPlace } from '../documents/document-place.ts';
import { lockFastLane, lockSlowLane } from '../row-locks/advisory-locks.ts';
import { awaitFiles, untilLongest } from './await-files.ts';
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

/** Milliseconds that a search waits for the index at most. */
const longestWait = 1_000;

/** Milliseconds that a search waits for what its own transaction has written, which no other can index. */
const longestOwnWait = 10_000;

/** Seconds that a transaction of the index may last, most of which it waits for that of another process. */
const longestBatch = 60;

/** Milliseconds of a batch beyond which the next one of its lane is half as large, and below which it is twice as large. */
const timesOfBatch = { long: 500, short: 250 } as const;

/** Milliseconds between a write and the indexing of it, within which the next writes join it. */
const pause = 50;

/** How long the index rests while writes go on, as a multiple of its last transaction. */
const restPerWork = { usual: 6, behind: 1 } as const;

/** Milliseconds that it rests at most: other documents do not wait because one has taken long. */
const longestRest = 1_000;

/** Milliseconds by which the index may be behind before its rests are shorter. */
const usualLag = 5_000;

/** Milliseconds after which changes are looked for that no write of this process has made known. */
const interval = 5_000;

export interface RunningIndex extends SearchIndex {
  close(): Promise<void>;
}

interface IndexSettings extends Required<JobTypes> {
  readonly onError: (error: unknown) => void;
  /** Is called with a document that is set aside, since it cannot be indexed. */
  readonly onSetAside: (document: DocumentPlace, reason: string) => void;
}

const caughtUp: IndexState = { isCaughtUp: true, behind: 0 };

const lagging = (milliseconds: number): IndexState => ({
  isCaughtUp: false,
  behind: Math.max(1, Math.ceil(milliseconds)),
});

type IndexDatabase = Pick<Database, 'query' | 'transaction'>;

/** The changes that a transaction sees could not be indexed for a search in it. */
class NotVisible extends Error {
  readonly reason: unknown;
  constructor(reason: unknown) {
    super('changes were not indexed');
    this.reason = reason;
  }
}

/** Whether a promise resolves within so many milliseconds. */
async function isDoneWithin(milliseconds: number, done: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  return Promise.race([done.then(() => true), passed]).finally(() => clearTimeout(timer));
}

/** The batches of one lane. Their size follows the time that they take. */
function batchesOf(
  lane: Lane,
  database: IndexDatabase,
  types: JobTypes,
  onSetAside: IndexSettings['onSetAside'],
): () => Promise<TakenChanges> {
  const lock = lane === 'fast' ? lockFastLane : lockSlowLane;
  let limit: number = lane === 'fast' ? changesOfBatch : 1;
  /** A document whose row is locked has gone to the end of the lane: the next batch takes the oldest, small or large. */
  let isBlocked = false;
  const locked = <T>(work: Parameters<typeof database.transaction<T>>[1]): Promise<T> =>
    database.transaction(longestBatch, async (client) => {
      await lock(client);
      return work(client);
    });

  /** Of several documents that fail, the slow lane finds the one that is the cause: it tries ever fewer. */
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

/** Has a lane work in the background. `ask` begins it, unless it is under way. */
interface Background {
  readonly ask: () => void;
}

/**
 * While writes keep coming, a lane leaves most of the time to them; searches do not wait for its rests.
 * @param index writes one batch.
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
      await rest(isAsked ? Math.min(longestRest, Math.max(pause, factor * work)) : 0);
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
 * Keeps the search index: a row of `search_change` says that a committed write changed a document, and is
 * deleted in the transaction that writes the document's row of the index. One transaction of each lane works at a
 * time on the database; it may be that of any process. A document that cannot be indexed is set aside, and all
 * others go on.
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
   * Indexes the changes of the fast lane, and then those of the slow lane that searches of the user wait for. What is
   * written meanwhile, and is in the fast lane, is no reason to wait for the slow one.
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
    done.catch(onError); // also when it fails after the wait
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
      if (changedAt <= db.replica.wroteAt) throw new ReadAgain('the index lacks what the caller has written');
      return caughtUp;
    }
    return (await isIndexedWithin(longestWait, user)) ? caughtUp : lagging(age + longestWait);
  };

  // The rows are locked for the search alone: else the index would wait until the transaction ends. A document
  // that cannot be indexed fails no search: those of others are left out, and at last those of the transaction.
  const withinTransaction: SearchIndex['withinTransaction'] = async (db, search, { user, isWaiting }) => {
    const { aside } = db;
    const pending = aside && (await pendingChanges(db, user));
    if (!aside || !pending) return { found: await search(db.query), state: caughtUp };
    const began = performance.now();
    const areOwn = !pending.areOfOthers || (isWaiting && (await isIndexedWithin(longestWait, user)));
    const stateNow = (isDone: boolean): IndexState =>
      isDone ? caughtUp : lagging(pending.age + performance.now() - began);
    const withChanges = (ofOthers: boolean) => {
      const now = performance.now();
      const ownEnd = now + longestOwnWait;
      const end = areOwn ? ownEnd : now + longestWait;
      const times = ofOthers ? { end, ownEnd } : { isOwn: true, ownEnd };
      return aside(async (query) => {
        const isDone = await indexVisibleChanges({ query }, { textTypes: types.textTypes, ...times }).catch(
          (error: unknown) => Promise.reject(new NotVisible(error)),
        );
        // The fast lane may have found documents to be large while the search waited for it.
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
      clearInterval(poll);
      closing.abort();
      await Promise.all([lanes.fast.settled(), lanes.slow.settled()]);
    },
  };
}
