import { setTimeout as wait } from 'node:timers/promises';
import type { CrashedDatabase } from './databases.ts';
import { inspect } from './inspect.ts';
import type { Later } from './later.ts';
import type { Ledger } from './ledger.ts';
import { load, place } from './load.ts';
import type { Victims } from './processes.ts';
import type { Random } from './random.ts';
import { killWhileStarting, startTarget, type Target } from './target.ts';
import { pathBeforeTrash, readShown, searchFaults } from './verify.ts';
import type { Worker } from './worker.ts';

/** Under load for this long before the end, in milliseconds, by chance. */
const shortest = 100;
const longest = 3_000;

/** In one of so many rounds, the server that comes up again is killed before it is up. */
const restartKilled = 4;

/** What is kept from one kill to the next. */
export interface Trial {
  readonly database: CrashedDatabase;
  readonly workers: readonly Worker[];
  readonly later: Later;
  readonly ledger: Ledger;
  readonly random: Random;
}

/** What became of one kill. */
export interface Outcome {
  readonly faults: readonly string[];
  readonly line: string;
  readonly victims: Victims;
  /** From the restart after the kill, that of the database first, to the first 200 of `/health/ready`. */
  readonly readyAfter: number;
  /** The server that runs now. */
  readonly target: Target;
}

/** A time in words. */
export const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(2)} s`;

const victimsOf = ({ random, database }: Trial): Victims => random.one(database.victims) ?? 'server';

/** Loads the server until it is killed; answers what it said that is wrong. */
async function loadAndKill(
  { database, workers, ledger, later }: Trial,
  target: Target,
  duration: number,
  victims: Victims,
): Promise<string[]> {
  let isOver = false;
  const wrong = Promise.all([
    load(target.url, workers, ledger, () => isOver),
    later.load(target.url, () => isOver),
  ]);
  await wait(duration);
  await target.kill(() => database.others(victims));
  isOver = true;
  return (await wrong).flat();
}

interface Restarted {
  readonly target: Target;
  readonly readyAfter: number;
  readonly again: string;
}

/** Starts everything on what the kill left, now and then only at the second attempt. */
async function restart({ database, random }: Trial, victims: Victims, next: Victims): Promise<Restarted> {
  const { settings, others, buried, revive } = database;
  const isKilledAgain = random.chance(restartKilled);
  const after = random.number(50, 1_500);
  await buried();
  if (isKilledAgain) {
    await revive(victims);
    await killWhileStarting(settings, after, () => others(next));
    await buried();
  }
  const since = performance.now();
  await revive(isKilledAgain ? next : victims);
  const target = await startTarget(settings);
  const again = isKilledAgain ? `, killed once more while starting (${next})` : '';
  return { target, readyAfter: performance.now() - since, again };
}

/** Documents below the workers' folders that the tables have and should not have. */
function leftovers(inTables: ReadonlySet<string>, known: ReadonlySet<string>): string[] {
  const isTheirs = (path: string) => path.startsWith(`${place}/`) && path.split('/').length > 3;
  const unknown = [...inTables].filter((path) => isTheirs(path) && !known.has(pathBeforeTrash(path)));
  return unknown.map((path) => `${path} is in the tables still`);
}

/** Loads the server, kills it, starts it again, and holds what is there against what was acknowledged. */
export async function round(trial: Trial, running: Target): Promise<Outcome> {
  const { database, ledger, random, later } = trial;
  const [acknowledged, cutOff] = [ledger.acknowledged, ledger.cutOff];
  const duration = random.number(shortest, longest);
  const victims = victimsOf(trial);
  const faults = await loadAndKill(trial, running, duration, victims);
  const { target, readyAfter, again } = await restart(trial, victims, victimsOf(trial));
  faults.push(...(await later.faults(database.settings)));
  faults.push(...ledger.settle(await readShown(target.url, ledger.entries.values())));
  faults.push(...(await searchFaults(target.url, ledger.entries.values())));
  const { faults: inside, paths, blobs, swept } = await inspect(database.settings, ledger.gone);
  faults.push(...inside, ...leftovers(paths, ledger.paths()));
  target.expectSilence();
  const line = [
    `${victims} killed after ${seconds(duration)}`,
    `${ledger.acknowledged - acknowledged} writes acknowledged, ${ledger.cutOff - cutOff} cut off`,
    `ready again after ${seconds(readyAfter)}${again}`,
    `${paths.size} documents, ${blobs} blobs, ${swept} files swept`,
    faults.length === 0 ? 'nothing lost' : `${faults.length} FAULTS`,
  ].join('; ');
  return { faults, line, victims, readyAfter, target };
}
