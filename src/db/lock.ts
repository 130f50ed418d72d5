import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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

/** The process that a lock names, unless it is gone (killed, say, without a chance to let go). */
function holder(lock: string): number | undefined {
  const [pid, start] = lock.trim().split(' ');
  const number = Number(pid);
  if (!Number.isInteger(number) || number <= 0 || !isRunning(number)) return undefined;
  return startOf(number) === (start ?? '') ? number : undefined;
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** Gives a file a second name; false when that name is taken. The name appears with its whole content. */
function linked(file: string, name: string): boolean {
  try {
    linkSync(file, name);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Gives a file another name; false when it is gone. */
function renamed(file: string, name: string): boolean {
  try {
    renameSync(file, name);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

/**
 * Takes a folder for this process: the embedded database is one process' alone.
 * @returns how to let go of it.
 * @throws Unavailable naming the process that has it.
 */
export function lockFolder(folder: string): () => void {
  const file = join(folder, 'lock');
  const own = join(folder, `lock.${process.pid}`);
  const stale = `${own}.stale`;
  writeFileSync(own, `${process.pid} ${startOf(process.pid)}\n`);
  try {
    while (!linked(own, file)) {
      const lock = readIfThere(file);
      if (lock === undefined) continue; // let go of since
      const pid = holder(lock);
      if (pid !== undefined) {
        throw new Unavailable(
          `${folder} is in use by process ${pid}: stop it first, or set another DATA_DIR or a DATABASE_URL`,
        );
      }
      // Set aside what we judged, and make sure that it is what we judged: two processes may start at once.
      if (!renamed(file, stale)) continue; // somebody else was quicker
      if (readIfThere(stale) !== lock) linked(stale, file);
      rmSync(stale, { force: true });
    }
  } finally {
    rmSync(own, { force: true });
  }
  return () => rmSync(file, { force: true });
}
