import type { Client, Database, ReadingCaller, Reads } from '../database.ts';
import { isOutOfReach, isReplicaError } from '../errors.ts';
import type { Meter } from '../meter.ts';
import { createCallerPositions } from './callers.ts';
import { followFloor } from './floor.ts';
import { later, type Position, primaryPosition, start } from './position.ts';
import { createReplica, type Replica, type Sample } from './replica.ts';

/** Milliseconds between two looks at the replicas, and for which positions of the primary are kept. */
const interval = 1_000;
const memory = 20_000;

/** Milliseconds for which replicas alone are read: another process may reach a primary, and change ACLs. */
const longestAlone = 60_000;

/** Where a position cannot be asked for: no replica is that far. */
const unknown = Number.MAX_SAFE_INTEGER;

type Reading<T> = [meter: Meter, caller: ReadingCaller, work: (client: Client) => Promise<T>];

/** The same replica for a caller in all processes, and the others after it. */
function orderFor(user: string, replicas: readonly Replica[]): readonly Replica[] {
  let sum = 0;
  for (const char of user) sum += char.codePointAt(0) ?? 0;
  const first = sum % replicas.length;
  return [...replicas.slice(first), ...replicas.slice(0, first)];
}

/** Compares the replicas with the primary once a second. */
function watch(
  primary: Database,
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
export function createReads(primary: Database, databases: ReadonlyMap<string, Database>): Reads {
  const replicas = [...databases].map(([name, database]) => createReplica(name, database));
  const { announcements } = primary;
  const callers = createCallerPositions(announcements);
  const floor = followFloor(primary);
  const watching = watch(primary, replicas);
  const counts = new Map<string, number>();

  const positionOf = ({ user, carried }: ReadingCaller): Position =>
    later(user === undefined ? start : callers.of(user), carried?.position ?? start);

  const advance = ({ user, carried }: ReadingCaller, to: Position): void => {
    if (user !== undefined) callers.advance(user, to);
    if (carried) carried.position = later(carried.position ?? start, to);
  };

  async function choose(caller: ReadingCaller, { lsn }: Position): Promise<Replica | undefined> {
    const least = floor.current();
    if (least === undefined) return undefined;
    for (const replica of orderFor(caller.user ?? '', replicas))
      if (replica.isUsable() && (await replica.hasReached(Math.max(lsn, least)))) return replica;
    return undefined;
  }

  const count = (server: string): void => void counts.set(server, (counts.get(server) ?? 0) + 1);

  async function onReplica<T>(
    { name, database, ask }: Replica,
    [meter, caller, work]: Reading<T>,
  ): Promise<T> {
    const { wroteAt } = positionOf(caller);
    const client = Object.assign(database.metered(meter), { replica: { wroteAt } });
    const result = await work(client);
    count(name);
    // Another replica may have less than this one, which the primary never has.
    if (replicas.length > 1) advance(caller, { lsn: (await ask()) ?? unknown, wroteAt: 0 });
    return result;
  }

  async function onPrimary<T>([meter, caller, work]: Reading<T>): Promise<T> {
    const result = await work(primary.metered(meter));
    count('primary');
    const { lsn } = await primaryPosition(primary).catch(() => ({ lsn: unknown }));
    advance(caller, { lsn, wroteAt: 0 });
    return result;
  }

  /** Reads from a replica while no primary answers, by what was known of it then. */
  const alone = async (caller: ReadingCaller): Promise<Replica | undefined> =>
    watching.isRecent() && (await primary.isLost()) ? choose(caller, positionOf(caller)) : undefined;

  async function run<T>(...reading: Reading<T>): Promise<T> {
    const [, caller] = reading;
    const replica = announcements.isConnected()
      ? await choose(caller, positionOf(caller))
      : await alone(caller);
    try {
      return await (replica ? onReplica(replica, reading) : onPrimary(reading));
    } catch (error) {
      if (!isReplicaError(error)) throw error;
      if (replica) {
        if (isOutOfReach(error)) replica.fail();
        return onPrimary(reading);
      }
      const other = await alone(caller);
      if (!other) throw error;
      return onReplica(other, reading);
    }
  }

  return {
    run,
    wrote: async (caller) => {
      const { lsn, now } = await primaryPosition(primary).catch(() => ({ lsn: unknown, now: Date.now() }));
      advance(caller, { lsn, wroteAt: now });
      if (caller.user !== undefined) await callers.tell(caller.user).catch(() => {});
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
