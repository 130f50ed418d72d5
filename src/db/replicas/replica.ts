import type { Database } from '../database.ts';
import { replicaPosition } from './position.ts';

/** Milliseconds in which a replica answers, or is left out. */
const answerTime = 2_000;

/** Milliseconds by which a replica may be behind before it is left out. */
const longestLag = 10_000;

/** A position of the primary, and when it was known, by `performance.now()`. */
export interface Sample {
  readonly lsn: number;
  readonly at: number;
}

export interface Replica {
  readonly name: string;
  readonly database: Database;
  isUsable(): boolean;
  /** Milliseconds since the primary had something that this one lacks; undefined when it does not answer. */
  lag(): number | undefined;
  /** Whether it has applied the log so far: it is asked when that is not known. */
  hasReached(lsn: number): Promise<boolean>;
  /** How much it has applied by now; callers that ask meanwhile share one answer. */
  ask(): Promise<number | undefined>;
  /** Compares it with what the primary had. @param samples the oldest first. */
  look(samples: readonly Sample[]): Promise<void>;
  /** It failed: it is left out until it answers again. */
  fail(): void;
}

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
  });
  return Promise.race([work.catch(() => undefined), late]).finally(() => clearTimeout(timer));
}

export function createReplica(name: string, database: Database): Replica {
  let applied: number | undefined;
  let lag: number | undefined;
  let asking: Promise<number | undefined> | undefined;

  const ask = (): Promise<number | undefined> => {
    asking ??= within(answerTime, replicaPosition(database))
      .then((lsn) => {
        applied = lsn;
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
    isUsable: () => applied !== undefined && lag !== undefined && lag <= longestLag,
    lag: () => lag,
    ask,
    hasReached: async (lsn) => {
      if (applied !== undefined && lsn <= applied) return true;
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
