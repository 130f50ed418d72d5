import type { Client, Database, PrimaryDatabase, Reader, Reads } from '../database.ts';
import { isOutOfReach, isReplicaError, ReadAgain } from '../errors.ts';
import type { Meter } from '../meter.ts';
import { createCallerPositions } from './callers.ts';
import { followFloor } from './floor.ts';
import { isUnknown, later, type Position, primaryPosition, start, unknownPosition } from './position.ts';
import { createReplica, type Replica, type Sample } from './replica.ts';

/** The interval between two comparisons of the replicas with the primary, in milliseconds. */
const interval = 1_000;

/** How long positions of the primary are remembered in order to measure lag, in milliseconds. */
const sampleLifetime = 20_000;

/**
 * How long replicas are used while no primary is responding, in milliseconds. The time is limited because another
 * process may still reach a primary and change ACLs there.
 */
const maxTimeWithoutPrimary = 60_000;

type Reading<T> = [meter: Meter, reader: Reader, work: (client: Client) => Promise<T>];

/**
 * The order in which to try replicas for a caller. It is the same in all processes, so that a caller does not switch to
 * a replica that is further behind.
 */
function orderFor(user: string, replicas: readonly Replica[]): readonly Replica[] {
  let sum = 0;
  for (const char of user) sum += char.codePointAt(0) ?? 0;
  const first = sum % replicas.length;
  return [...replicas.slice(first), ...replicas.slice(0, first)];
}

/** Compares the positions of the replicas with that of the primary once a second. */
function watch(
  primary: PrimaryDatabase,
  replicas: readonly Replica[],
): { isRecent: () => boolean; close: () => void } {
  let samples: Sample[] = [];
  let last = performance.now();
  async function look(): Promise<void> {
    const at = performance.now();
    const position = await primaryPosition(primary).catch(() => undefined);
    if (position) {
      last = at;
      samples = [...samples.filter((sample) => at - sample.at < sampleLifetime), { lsn: position.lsn, at }];
    }
    await Promise.all(replicas.map((replica) => replica.look(samples)));
  }
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const go = (): void => {
    void look().finally(() => {
      if (!isClosed) timer = setTimeout(go, interval).unref();
    });
  };
  go();
  return {
    isRecent: () => performance.now() - last < maxTimeWithoutPrimary,
    close: () => {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

/**
 * Creates reads that use a replica if it has everything that the caller has written and seen, and otherwise the
 * primary.
 *
 * Guarantees: callers see their own writes, whichever process made them; they never see an older state after a newer
 * one; and no read uses permissions or credentials from before their last announced change. Each guarantee corresponds
 * to a minimum position in the primary's write-ahead log. A replica is used only if it has applied the log up to the
 * latest of these positions; if one of them is unknown, only the primary can be used. If a replica fails, the read is
 * repeated on the primary. While no primary is responding, replicas are used for up to a minute, based on the latest
 * known positions.
 */
export function createReads(primary: PrimaryDatabase, databases: ReadonlyMap<string, Database>): Reads {
  const replicas = [...databases].map(([name, database]) => createReplica(name, database));
  const { announcements } = primary;
  const callers = createCallerPositions(announcements);
  const floor = followFloor(primary);
  const watching = watch(primary, replicas);
  const counts = new Map<string, number>();

  const positionOf = (reader: Reader): Position =>
    reader === 'no caller' ? start : later(callers.of(reader.user), reader.carried?.position ?? start);

  const advance = (reader: Reader, to: Position): void => {
    if (reader === 'no caller') return;
    const { user, carried } = reader;
    callers.advance(user, to);
    if (carried) carried.position = later(carried.position ?? start, to);
  };

  async function choose(reader: Reader): Promise<Replica | undefined> {
    const position = positionOf(reader);
    const minimum = floor.current();
    if (minimum === undefined || isUnknown(position)) return undefined;
    for (const replica of orderFor(reader === 'no caller' ? '' : reader.user, replicas))
      if (replica.isUsable() && (await replica.hasReached(Math.max(position.lsn, minimum)))) return replica;
    return undefined;
  }

  const count = (server: string): void => void counts.set(server, (counts.get(server) ?? 0) + 1);

  async function onReplica<T>(
    { name, database, queryAgain }: Replica,
    [meter, reader, work]: Reading<T>,
  ): Promise<T> {
    const { wroteAt } = positionOf(reader);
    const breaks = database.breaks();
    const client = Object.assign(database.metered(meter), { replica: { wroteAt } });
    const result = await work(client);
    // A replica that has crashed restarts in an older state and remains behind until it has applied the same part of
    // the log again.
    if (database.breaks() !== breaks) throw new ReadAgain('The replica may have restarted during the read.');
    count(name);
    // Another replica can be further behind, so the caller's next read must be at least as recent as this one.
    if (replicas.length > 1) {
      const lsn = await queryAgain();
      advance(reader, lsn === undefined ? unknownPosition() : { ...start, lsn });
    }
    return result;
  }

  async function onPrimary<T>([meter, reader, work]: Reading<T>): Promise<T> {
    const result = await work(primary.metered(meter));
    count('primary');
    if (reader !== 'no caller')
      advance(reader, await primaryPosition(primary).catch(() => unknownPosition()));
    return result;
  }

  /** Chooses a replica while no primary is responding, based on the latest known positions. */
  const withoutPrimary = async (reader: Reader): Promise<Replica | undefined> =>
    watching.isRecent() && (await primary.isLost()) ? choose(reader) : undefined;

  /**
   * Chooses a replica for a read. First waits for announcements that were made before the read began, because the
   * caller may have written through another process whose announcement has not arrived yet.
   */
  async function replicaFor(reader: Reader): Promise<Replica | undefined> {
    if (!replicas.some(({ isUsable }) => isUsable())) return undefined;
    return (await announcements.arrived()) ? choose(reader) : withoutPrimary(reader);
  }

  async function run<T>(...reading: Reading<T>): Promise<T> {
    const [, reader] = reading;
    const replica = await replicaFor(reader);
    try {
      return await (replica ? onReplica(replica, reading) : onPrimary(reading));
    } catch (error) {
      if (!isReplicaError(error)) throw error;
      if (replica) {
        if (isOutOfReach(error)) replica.fail();
        return onPrimary(reading);
      }
      const other = await withoutPrimary(reader);
      if (!other) throw error;
      return onReplica(other, reading).catch((again: unknown) => {
        throw again instanceof ReadAgain ? error : again;
      });
    }
  }

  return {
    run,
    wrote: async (caller) => {
      const told = primaryPosition(primary).then((position) => ({ ...position, wroteAt: position.clock }));
      advance(caller, await told.catch(() => unknownPosition()));
      await callers.tell(caller.user).catch(() => {});
    },
    servers: () => [
      { name: 'primary', reads: counts.get('primary') ?? 0 },
      ...replicas.map(({ name, lag, isUsable }) => ({
        name,
        reads: counts.get(name) ?? 0,
        replica: { lag: lag(), isUsed: isUsable() },
      })),
    ],
    close: async () => {
      floor.close();
      watching.close();
      await Promise.all(replicas.map(({ database }) => database.close()));
    },
  };
}
