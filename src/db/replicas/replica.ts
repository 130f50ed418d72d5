import type { Database } from '../database.ts';
import { inTime, NoAnswer } from '../in-time.ts';
import { replicaPosition } from './position.ts';

/** How long to wait for the position of a replica, in milliseconds, before it is left out. */
const answerTimeout = 2_000;

/** The number of timeouts in a row after which a replica counts as silent. */
const maxTimeouts = 4;

/** The lag in milliseconds from which a replica is left out. */
const maxLag = 10_000;

/** A position of the primary, with the time at which it was known, by `performance.now()`. */
export interface Sample {
  readonly lsn: number;
  readonly at: number;
}

export interface Replica {
  readonly name: string;
  readonly database: Database;
  /** Whether reads can use the replica: it answers and its lag is small. */
  isUsable(): boolean;
  /** The age in milliseconds of the oldest change that the replica lacks; undefined while it does not answer. */
  lag(): number | undefined;
  /** Whether the replica has applied the log up to a position. Asks the replica if that is not known. */
  hasReached(lsn: number): Promise<boolean>;
  /** The position that the replica has applied, by a query that is sent after this call. */
  askAnew(): Promise<number | undefined>;
  /** Measures the lag. @param samples positions of the primary, the oldest first. */
  look(samples: readonly Sample[]): Promise<void>;
  /** Leaves the replica out after a failure, until it answers again. */
  fail(): void;
}

export function createReplica(name: string, database: Database): Replica {
  /** The applied position. It is valid until a connection breaks, since a crashed server comes back at an older one. */
  let applied: { readonly lsn: number; readonly breaks: number } | undefined;
  let lag: number | undefined;
  let asking: Promise<number | undefined> | undefined;
  let timeouts = 0;

  const fail = (error: unknown): undefined => {
    timeouts = error instanceof NoAnswer ? timeouts + 1 : 0;
    if (timeouts < maxTimeouts) return;
    timeouts = 0;
    database.breakOff(); // reads that wait for the replica fail, and run again on the primary
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
    askAnew: () => (asking ? asking.then(ask) : ask()),
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
