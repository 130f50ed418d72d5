import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Unavailable } from '../errors.ts';
import { isSameProcess, namespace, startOf } from '../process-state.ts';

const turnFile = /^lock\.(\d+)\.(\d*)(?:\.([\da-f]{16}))?\.\d+$/;

const turnTimeout = 10_000; // milliseconds; a turn takes less than one

const isFresh = (file: string, now: number): boolean =>
  now - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) < turnTimeout / 2;

/** Another process that is reading or writing the lock; files of processes that have died are deleted. */
function otherAtTurn(folder: string, own: string, now: number): string | undefined {
  for (const name of readdirSync(folder)) {
    const [, pid, start = '', where = namespace()] = turnFile.exec(name) ?? [];
    if (pid === undefined || name === own) continue;
    const isHere = where === namespace();
    if (isHere ? isSameProcess(Number(pid), start) : isFresh(join(folder, name), now)) return pid;
    rmSync(join(folder, name), { force: true }); // no process will have this name again
  }
  return undefined;
}

const pause = (milliseconds: number) =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);

interface Turn {
  /** By the clock of the file system, as the touches of a lock are. */
  readonly now: number;
  readonly end: () => void;
}

/**
 * Lets this process alone read and write the lock. Each process first creates a file with a name of its own
 * and then lists the folder: of two processes, the second one finds the file of the first, deletes its own,
 * and tries again.
 */
export function takeTurn(folder: string): Turn {
  const own = `lock.${process.pid}.${startOf(process.pid)}.${namespace()}.${process.hrtime.bigint()}`;
  const end = () => rmSync(join(folder, own), { force: true });
  for (const last = performance.now() + turnTimeout; ; pause(1 + Math.random() * 10)) {
    writeFileSync(join(folder, own), '', { flag: 'wx' });
    const now = statSync(join(folder, own)).mtimeMs;
    const other = otherAtTurn(folder, own, now);
    if (other === undefined) return { now, end };
    end();
    if (performance.now() > last) throw new Unavailable(`${folder} is about to be used by process ${other}`);
  }
}
