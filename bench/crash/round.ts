import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { inspect } from './inspect.ts';
import type { Ledger } from './ledger.ts';
import { load, place } from './load.ts';
import { killWhileStarting, type Settings, startTarget, type Target } from './target.ts';
import { pathBeforeTrash, readShown } from './verify.ts';
import type { Worker } from './worker.ts';

/** Under load for this long before the end, in milliseconds, by chance. */
const shortest = 100;
const longest = 5_000;

/** In one of so many rounds, the server that comes up again is killed before it is up. */
const restartKilled = 4;

/** What is kept from one kill to the next. */
export interface Trial {
  readonly settings: Settings;
  readonly workers: readonly Worker[];
  readonly ledger: Ledger;
}

/** What became of one kill. */
export interface Outcome {
  readonly faults: readonly string[];
  readonly line: string;
  /** From the spawn after the kill to the first 200 of `/health/ready`, in milliseconds. */
  readonly readyAfter: number;
}

/** A time in words. */
export const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(2)} s`;

/** Loads the server until it is killed; answers what it said that is wrong. */
async function loadAndKill({ workers, ledger }: Trial, target: Target, duration: number): Promise<string[]> {
  let isOver = false;
  const wrong = load(target.url, workers, ledger, () => isOver);
  await wait(duration);
  await target.kill();
  isOver = true;
  return wrong;
}

/** Starts the server on what the kill left, now and then only at the second attempt. */
async function restart(settings: Settings): Promise<{ target: Target; isKilledAgain: boolean }> {
  const isKilledAgain = randomInt(restartKilled) === 0;
  if (isKilledAgain) await killWhileStarting(settings, randomInt(50, 1_500));
  return { target: await startTarget(settings), isKilledAgain };
}

/** Documents below the workers' folders that the tables have and nobody should. */
function leftovers(inTables: ReadonlySet<string>, known: ReadonlySet<string>): string[] {
  const isTheirs = (path: string) => path.startsWith(`${place}/`) && path.split('/').length > 3;
  const unknown = [...inTables].filter((path) => isTheirs(path) && !known.has(pathBeforeTrash(path)));
  return unknown.map((path) => `${path} is in the tables still`);
}

/** Loads the server, kills it, starts it again, and holds what is there against what was acknowledged. */
export async function round(trial: Trial): Promise<Outcome> {
  const { settings, ledger } = trial;
  const [acknowledged, cutOff] = [ledger.acknowledged, ledger.cutOff];
  const duration = randomInt(shortest, longest);
  const faults = await loadAndKill(trial, await startTarget(settings), duration);
  const { target, isKilledAgain } = await restart(settings);
  faults.push(...ledger.settle(await readShown(target.url, ledger.entries.values())));
  await target.stop();
  const { faults: inside, paths, blobs, swept } = await inspect(settings, ledger.gone);
  faults.push(...inside, ...leftovers(paths, ledger.paths()));
  const line = [
    `killed after ${seconds(duration)}`,
    `${ledger.acknowledged - acknowledged} writes acknowledged, ${ledger.cutOff - cutOff} cut off`,
    `ready again after ${seconds(target.readyAfter)}${isKilledAgain ? ', killed once more while starting' : ''}`,
    `${paths.size} documents, ${blobs} blobs, ${swept} files swept`,
    faults.length === 0 ? 'nothing lost' : `${faults.length} FAULTS`,
  ].join('; ');
  return { faults, line, readyAfter: target.readyAfter };
}
