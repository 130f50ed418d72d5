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

/** The bounds of the random time under load after which the server is killed, in milliseconds. */
const minLoadTime = 100;
const maxLoadTime = 3_000;

/** On average, the restarting server is killed again before it is ready in one of this many rounds. */
const roundsPerKilledRestart = 4;

/** The state that is passed from one kill to the next. */
export interface Trial {
  readonly database: CrashedDatabase;
  readonly workers: readonly Worker[];
  readonly later: Later;
  readonly ledger: Ledger;
  readonly random: Random;
}

/** The result of one kill. */
export interface Outcome {
  readonly faults: readonly string[];
  readonly line: string;
  readonly victims: Victims;
  /**
   * The time from the start of the restart, including the database, to the first 200 response from `/health/ready`, in
   * milliseconds.
   */
  readonly readyAfter: number;
  /** The running server. */
  readonly target: Target;
}

/** Formats a number of milliseconds as seconds. */
export const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(2)} s`;

const victimsOf = ({ random, database }: Trial): Victims => random.one(database.victims) ?? 'server';

/**
 * Sends requests to the server and kills it.
 * @returns descriptions of incorrect responses
 */
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

/**
 * Restarts the database and the server after a kill. Sometimes kills them during the first attempt and restarts them
 * again.
 */
async function restart({ database, random }: Trial, victims: Victims, next: Victims): Promise<Restarted> {
  const { settings, others, untilRestartable, restartDatabase } = database;
  const isKilledAgain = random.chance(roundsPerKilledRestart);
  const after = random.number(50, 1_500);
  await untilRestartable();
  if (isKilledAgain) {
    await restartDatabase(victims);
    await killWhileStarting(settings, after, () => others(next));
    await untilRestartable();
  }
  const since = performance.now();
  await restartDatabase(isKilledAgain ? next : victims);
  const target = await startTarget(settings);
  const again = isKilledAgain ? `, killed once more while starting (${next})` : '';
  return { target, readyAfter: performance.now() - since, again };
}

/** Finds documents in the workers' folders that are in the tables but should not exist. */
function leftovers(inTables: ReadonlySet<string>, known: ReadonlySet<string>): string[] {
  const isTheirs = (path: string) => path.startsWith(`${place}/`) && path.split('/').length > 3;
  const unknown = [...inTables].filter((path) => isTheirs(path) && !known.has(pathBeforeTrash(path)));
  return unknown.map((path) => `${path} is still in the tables`);
}

/** Puts load on the server, kills it, restarts it, and compares the actual state with the acknowledged state. */
export async function round(trial: Trial, running: Target): Promise<Outcome> {
  const { database, ledger, random, later } = trial;
  const [acknowledged, cutOff] = [ledger.acknowledged, ledger.cutOff];
  const duration = random.number(minLoadTime, maxLoadTime);
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
    `${ledger.acknowledged - acknowledged} writes acknowledged, ${ledger.cutOff - cutOff} interrupted`,
    `ready again after ${seconds(readyAfter)}${again}`,
    `${paths.size} documents, ${blobs} blobs, ${swept} files swept`,
    faults.length === 0 ? 'nothing lost' : `${faults.length} FAULTS`,
  ].join('; ');
  return { faults, line, victims, readyAfter, target };
}
