import type { Client, Database, PrimaryDatabase, Reader, Reads } from '../database.ts';
import { isOutOfReach, isReplicaError, ReadAgain } from '../errors.ts';
import type { Meter } from '../meter.ts';
import { createCallerPositions } from './callers.ts';
import { followFloor } from './floor.ts';
import { isUnknown, later, type Position, primaryPosition, start, unknownPosition } from './position.ts';
import { createReplica, type Replica, type Sample } from './replica.ts';

/** Milliseconds between two looks at the replicas, and for which positions of the primary are kept. */
const interval = 1_000;
const memory = 20_000;

/** Milliseconds for which replicas alone are read: another process may reach a primary, and change ACLs. */
const longestAlone = 60_000;

type Reading<T> = [meter: Meter, reader: Reader, work: (client: Client) => Promise<T>];

/** The same replica for a caller in all processes, and the others after it. */
function orderFor(user: string, replicas: readonly Replica[]): readonly Replica[] {
  let sum = 0;
  for (const char of user) sum += char.codePointAt(0) ?? 0;
  const first = sum % replicas.length;
  return [...replicas.slice(first), ...replicas.slice(0, first)];
}

/** Compares the replicas with the primary once a second. */
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
      samples = [...samples.filter((sample) => at - sample.at < memory), { lsn: position.lsn, at }];
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
    isRecent: () => performance.now() - last < longestAlone,
    close: () => {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

/** Reads on replicas that have all that the caller has written and seen, else on the primary. */
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
    const least = floor.current();
    if (least === undefined || isUnknown(position)) return undefined;
    for (const replica of orderFor(reader === 'no caller' ? '' : reader.user, replicas))
      if (replica.isUsable() && (await replica.hasReached(Math.max(position.lsn, least)))) return replica;
    return undefined;
  }

  const count = (server: string): void => void counts.set(server, (counts.get(server) ?? 0) + 1);

  async function onReplica<T>(
    { name, database, askAnew }: Replica,
    [meter, reader, work]: Reading<T>,
  ): Promise<T> {
    const { wroteAt } = positionOf(reader);
    const breaks = database.breaks();
    const client = Object.assign(database.metered(meter), { replica: { wroteAt } });
    const result = await work(client);
    // A replica that crashes and restarts has less than before, until it has applied the same log again.
    if (database.breaks() !== breaks) throw new ReadAgain('the replica may have restarted during the read');
    count(name);
    // Another replica may have less than this one, which the primary never has.
    if (replicas.length > 1) {
      const lsn = await askAnew();
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

  /** Reads from a replica while no primary answers, by what was known of it then. */
  const alone = async (reader: Reader): Promise<Replica | undefined> =>
    watching.isRecent() && (await primary.isLost()) ? choose(reader) : undefined;

  /**
   * Announcements that were made before this read began may still be on their way, so it waits for them: its
   * caller may have written through another process that has answered already.
   */
  async function replicaFor(reader: Reader): Promise<Replica | undefined> {
    if (!replicas.some(({ isUsable }) => isUsable())) return undefined;
    return (await announcements.arrived()) ? choose(reader) : alone(reader);
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
      const other = await alone(reader);
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
