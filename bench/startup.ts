import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startOurs } from './ours.ts';
import { memoryOfAll } from './processes.ts';
import { median, type Start } from './table.ts';

type Settings = Parameters<typeof startOurs>[0];

interface Starts {
  /** The settings of a server that uses a database that has been under load. */
  readonly settings: Settings;
  readonly folder: string;
  readonly runs: number;
  /** The path of the Node executable. */
  readonly node: string;
}

const idling = 5_000;

async function measure(
  name: string,
  { settings, runs, node }: Omit<Starts, 'settings' | 'folder'> & { settings: (run: number) => Settings },
  { goal, idleGoal }: { readonly goal: number; readonly idleGoal?: number },
): Promise<Start> {
  const milliseconds: number[] = [];
  const megabytes: Array<number | undefined> = [];
  for (let run = 0; run < runs; run += 1) {
    const server = await startOurs(settings(run), { node });
    milliseconds.push(server.readyAfter);
    if (idleGoal !== undefined && run === runs - 1) {
      await wait(idling);
      megabytes.push(await memoryOfAll(server.pid));
    }
    await server.stop();
  }
  console.error(`  ${name}: ${(median(milliseconds) / 1000).toFixed(2)} s`);
  const start = { name, milliseconds, goal };
  return idleGoal === undefined ? start : { ...start, idle: { megabytes: megabytes[0], goal: idleGoal } };
}

/**
 * Starts Quire repeatedly: with the database that has been under load, with a new embedded database, and with an
 * existing embedded one.
 */
export async function measureStarts({ settings: server, folder, runs, node }: Starts): Promise<Start[]> {
  const embedded = (run: number) => ({ DATA_DIR: join(folder, `embedded-${run}`) });
  const [onServer, onEmbedded] = [
    { settings: () => server, runs, node },
    { settings: embedded, runs, node },
  ];
  const again = { ...onEmbedded, settings: () => embedded(0) };
  const starts = [
    await measure('PostgreSQL server, existing database', onServer, { goal: 3_000, idleGoal: 180 }),
    await measure('embedded, new folder', onEmbedded, { goal: 3_000 }),
    await measure('embedded, existing folder', again, { goal: 2_000, idleGoal: 260 }),
  ];
  for (let run = 0; run < runs; run += 1) await rm(embedded(run).DATA_DIR, { recursive: true, force: true });
  return starts;
}
