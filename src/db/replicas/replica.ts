import type { Database } from '../database.ts';
import { inTime, NoAnswer } from '../in-time.ts';
import { replicaPosition } from './position.ts';

/** Milliseconds in which a replica answers, or is left out. */
const answerTime = 2_000;

/** Answers that it may owe, one after the other, before it counts as silent. */
const mostOwed = 4;

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
  /** How much it has applied, by an answer to a question that is asked after this call. */
  askAnew(): Promise<number | undefined>;
  /** Compares it with what the primary had. @param samples the oldest first. */
  look(samples: readonly Sample[]): Promise<void>;
  /** It failed: it is left out until it answers again. */
  fail(): void;
}

export function createReplica(name: string, database: Database): Replica {
  /** Valid until a connection breaks: a server that has crashed comes back as it was at an earlier position. */
  let applied: { readonly lsn: number; readonly breaks: number } | undefined;
  let lag: number | undefined;
  let asking: Promise<number | undefined> | undefined;
  let owed = 0;

  const fail = (error: unknown): undefined => {
    owed = error instanceof NoAnswer ? owed + 1 : 0;
    if (owed < mostOwed) return;
    owed = 0;
    database.breakOff(); // reads that wait for it fail, and are asked of the primary
  };

  const ask = (): Promise<number | undefined> => {
    const breaks = database.breaks();
    asking ??= inTime(replicaPosition(database), answerTime)
      .then((lsn) => {
        owed = 0;
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
    isUsable: () => applied !== undefined && lag !== undefined && lag <= longestLag,
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
