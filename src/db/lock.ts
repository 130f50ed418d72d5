import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Unavailable } from '../errors.ts';

/** When a process was started, in ticks since boot; tells a process from a later one of the same number. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return ''; // no /proc on this system: the number alone must do
  }
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** Whether a process is the one that was called so, and not a later one of the same number. */
const isThere = (pid: number, start: string): boolean =>
  Number.isInteger(pid) && pid > 0 && isRunning(pid) && startOf(pid) === start;

/** The process that has a lock, unless it is gone (killed, say, without a chance to let go). */
function holder(file: string): number | undefined {
  try {
    const [pid = '', start = ''] = readFileSync(file, 'utf8').trim().split(' ');
    return isThere(Number(pid), start) ? Number(pid) : undefined;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

const turnOf = /^lock\.(\d+)\.(\d*)\.\d+$/;

/** Another process that is about to look at the lock, or does; what those left who died of it is swept. */
function otherAtTurn(folder: string, own: string): number | undefined {
  for (const name of readdirSync(folder)) {
    const [, pid, start = ''] = turnOf.exec(name) ?? [];
    if (pid === undefined || name === own) continue;
    if (isThere(Number(pid), start)) return Number(pid);
    rmSync(join(folder, name), { force: true }); // nobody is ever called so again
  }
  return undefined;
}

/** Milliseconds that one waits for the turn of others, who need less than one each. */
const patience = 10_000;

const pause = (milliseconds: number) =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);

/**
 * Lets this process alone look at the lock, and change it. Everybody first says that he is there, by a file of a name
 * that nobody else ever has, and looks who else is then: of two, the second one sees the first. Who sees somebody
 * withdraws, and comes again a little later.
 * @returns how to end the turn.
 */
function takeTurn(folder: string): () => void {
  const own = `lock.${process.pid}.${startOf(process.pid)}.${process.hrtime.bigint()}`;
  const leave = () => rmSync(join(folder, own), { force: true });
  for (const end = performance.now() + patience; ; pause(1 + Math.random() * 10)) {
    writeFileSync(join(folder, own), '', { flag: 'wx' });
    const other = otherAtTurn(folder, own);
    if (other === undefined) return leave;
    leave();
    if (performance.now() > end) throw new Unavailable(`${folder} is about to be used by process ${other}`);
  }
}

/**
 * Takes a folder for this process: the embedded database is one process' alone.
 * @returns how to let go of it.
 * @throws Unavailable naming the process that has it.
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
    writeFileSync(file, `${process.pid} ${startOf(process.pid)}\n`);
  } finally {
    endTurn();
  }
  let isHeld = true;
  return () => {
    if (isHeld) rmSync(file, { force: true });
    isHeld = false;
  };
}
