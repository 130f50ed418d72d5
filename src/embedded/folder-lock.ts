import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Unavailable } from '../errors.ts';
import { isRunning, startOf } from './process-state.ts';

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

const isSameProcess = (pid: number, start: string): boolean =>
  Number.isInteger(pid) && pid > 0 && isRunning(pid) && startOf(pid) === start;

/** The process that has a lock, unless it was killed without releasing it. */
function holder(file: string): number | undefined {
  try {
    const [pid = '', start = ''] = readFileSync(file, 'utf8').trim().split(' ');
    return isSameProcess(Number(pid), start) ? Number(pid) : undefined;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

const turnFile = /^lock\.(\d+)\.(\d*)\.\d+$/;

/** Another process that is reading or writing the lock; files of processes that have died are deleted. */
function otherAtTurn(folder: string, own: string): number | undefined {
  for (const name of readdirSync(folder)) {
    const [, pid, start = ''] = turnFile.exec(name) ?? [];
    if (pid === undefined || name === own) continue;
    if (isSameProcess(Number(pid), start)) return Number(pid);
    rmSync(join(folder, name), { force: true }); // no process will have this name again
  }
  return undefined;
}

const turnTimeout = 10_000; // milliseconds; a turn takes less than one

const pause = (milliseconds: number) =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);

/**
 * Lets this process alone read and write the lock. Each process first creates a file with a name of its own
 * and then lists the folder: of two processes, the second one finds the file of the first, deletes its own,
 * and tries again.
 * @returns a function that ends the turn.
 */
function takeTurn(folder: string): () => void {
  const own = `lock.${process.pid}.${startOf(process.pid)}.${process.hrtime.bigint()}`;
  const leave = () => rmSync(join(folder, own), { force: true });
  for (const end = performance.now() + turnTimeout; ; pause(1 + Math.random() * 10)) {
    writeFileSync(join(folder, own), '', { flag: 'wx' });
    const other = otherAtTurn(folder, own);
    if (other === undefined) return leave;
    leave();
    if (performance.now() > end) throw new Unavailable(`${folder} is about to be used by process ${other}`);
  }
}

/**
 * Locks a folder for this process: only one process can open the embedded database.
 * @returns a function that unlocks it.
 * @throws Unavailable naming the process that has locked it.
 */
export function lockFolder(folder: string): () => void {
  const file = join(folder, 'lock');
  const endTurn = takeTurn(folder);
  try {
    const pid = holder(file);
    if (pid !== undefined) {
      throw new Unavailable(
        `${folder} is in use by process ${pid}: stop it first, or set another DATA_DIR or a DATABASE_URL`,
      );
    }
    writeFileSync(file, `${process.pid} ${startOf(process.pid)}\n`, { mode: 0o600 });
  } finally {
    endTurn();
  }
  let isLocked = true;
  return () => {
    if (isLocked) rmSync(file, { force: true });
    isLocked = false;
  };
}
