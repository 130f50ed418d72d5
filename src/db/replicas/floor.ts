import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../database.ts';
import { primaryPosition } from './position.ts';

/**
 * The topics whose changes every read must see: credentials and group memberships (`principals`), and effective ACLs
 * (`acls`).
 */
const guarded = ['principals', 'acls'] as const;

/** The delay in milliseconds before a primary that did not respond is asked again. */
const retryInterval = 1_000;

/**
 * The minimum position that a replica must have reached before anybody can read from it: the position of the last
 * announced change to the guarded topics. Without this minimum, a user could still read documents from a replica after
 * losing the permission.
 */
interface Floor {
  /** The position; undefined until it is known. */
  readonly current: () => number | undefined;
  readonly close: () => void;
}

export function followFloor(primary: Pick<Database, 'query' | 'announcements'>): Floor {
  const closing = new AbortController();
  let floor: number | undefined;
  let changes = 0;
  let isAsking = false;

  async function ask(): Promise<void> {
    isAsking = true;
    for (let known = -1; known !== changes && !closing.signal.aborted; ) {
      const before = changes;
      try {
        const { lsn } = await primaryPosition(primary);
        known = before;
        if (before === changes) floor = lsn;
      } catch {
        await wait(retryInterval, undefined, { ref: false, signal: closing.signal }).catch(() => {});
      }
    }
    isAsking = false;
  }
  const raise = (): void => {
    changes += 1;
    floor = undefined;
    if (!isAsking) void ask();
  };
  for (const topic of guarded) primary.announcements.on(topic, raise);
  raise();
  return { current: () => floor, close: () => closing.abort() };
}
