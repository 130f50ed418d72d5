import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isSameProcess, namespace, startOf } from '../process-state.ts';

/** Returns a new unique name for a temporary file. The name identifies the process that writes the file. */
export const temporaryName = (): string =>
  [namespace(), process.pid, startOf(process.pid), randomUUID()].join('.');

/**
 * Whether a file was left behind by a process that no longer exists on this machine or in this container. Processes on
 * other machines cannot be checked.
 */
function isLeft(name: string): boolean {
  const [where, pid, start = '', id] = name.split('.');
  return id !== undefined && where === namespace() && !isSameProcess(Number(pid), start);
}

/**
 * Deletes the temporary files of processes that no longer exist. Running processes may share the folder, so their files
 * are kept.
 */
export async function removeLeftFiles(folder: string): Promise<void> {
  const left = (await readdir(folder)).filter(isLeft);
  // The folder may be read-only, so errors are ignored.
  for (const name of left) await rm(join(folder, name), { force: true }).catch(() => {});
}
