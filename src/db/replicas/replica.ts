import { inTime, NoAnswer } from '../../event-loop.ts';
import type { Database } from '../database.ts';
import { replicaPosition } from './position.ts';

/** How long to wait for the position of a replica, in milliseconds, before the replica is taken out of use. */
const answerTimeout = 2_000;

/** The number of consecutive timeouts after which a replica is considered unresponsive. */
const maxTimeouts = 4;

/** The lag, in milliseconds, above which a replica is not used. */
const maxLag = 10_000;

/** A log position of the primary, and the `performance.now()` at which the primary had reached it. */
export interface Sample {
  readonly lsn: number;
  readonly at: number;
}

export interface Replica {
  readonly name: string;
  readonly database: Database;
  /** Whether the replica can be used, that is, whether it responds and its lag is small. */
  isUsable(): boolean;
  /**
   * The age in milliseconds of the oldest change that the replica has not applied yet; undefined while it is not
   * responding.
   */
  lag(): number | undefined;
  /** Whether the replica has applied the log up to the given position. Asks the replica if this is not known. */
  hasReached(lsn: number): Promise<boolean>;
  /** The position up to which the replica has applied the log, according to a query that is sent after this call. */
  queryAgain(): Promise<number | undefined>;
  /**
   * Measures the lag.
   * @param samples positions of the primary, oldest first
   */
  look(samples: readonly Sample[]): Promise<void>;
  /** Takes the replica out of use after a failure, until it responds again. */
  fail(): void;
}

export function createReplica(name: string, database: Database): Replica {
  /**
   * The position up to which the log has been applied. It is valid until a connection breaks, because a crashed server
   * restarts at an older position.
   */
  let applied: { readonly lsn: number; readonly breaks: number } | undefined;
  let lag: number | undefined;
  let asking: Promise<number | undefined> | undefined;
  let timeouts = 0;

  const fail = (error: unknown): undefined => {
    timeouts = error instanceof NoAnswer ? timeouts + 1 : 0;
    if (timeouts < maxTimeouts) return;
    timeouts = 0;
    database.breakOff(); // reads that are waiting for the replica fail, and are repeated on the primary
  };

  const ask = (): Promise<number | undefined> => {
    const breaks = database.breaks();
    asking ??= inTime(replicaPosition(database), answerTimeout)
      .then((lsn) => {
        timeouts = 0;
        return lsn;
      }, fail)
      .then((lsn) => {
        applied = lsn === undefined ? undefined : { lsn, breaks };
        return lsn;
      })
      .finally(() => {
        asking = undefined;
      });
    return asking;
  };

  return {
    name,
    database,
    isUsable: () => applied !== undefined && lag !== undefined && lag <= maxLag,
    lag: () => lag,
    queryAgain: () => (asking ? asking.then(ask) : ask()),
    hasReached: async (lsn) => {
      if (applied && applied.breaks === database.breaks() && lsn <= applied.lsn) return true;
      const now = await ask();
      return now !== undefined && lsn <= now;
    },
    look: async (samples) => {
      const lsn = await ask();
      const missed = lsn === undefined ? undefined : samples.find((sample) => sample.lsn > lsn);
      lag = lsn === undefined ? undefined : missed ? performance.now() - missed.at : 0;
    },
    fail: () => {
      applied = undefined;
    },
  };
}
