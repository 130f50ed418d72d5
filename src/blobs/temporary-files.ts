import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isSameProcess, namespace, startOf } from '../process-state.ts';

/** A new unique name for a temporary file, which identifies the process that writes it. */
export const temporaryName = (): string =>
  [namespace(), process.pid, startOf(process.pid), randomUUID()].join('.');

/** Whether a file was left by a dead process of this machine or container. Other machines cannot be examined. */
function isLeft(name: string): boolean {
  const [where, pid, start = '', id] = name.split('.');
  return id !== undefined && where === namespace() && !isSameProcess(Number(pid), start);
}

/** Deletes the temporary files of dead processes. Files of running processes, which may share the folder, remain. */
export async function removeLeftFiles(folder: string): Promise<void> {
  const left = (await readdir(folder)).filter(isLeft);
  for (const name of left) await rm(join(folder, name), { force: true }).catch(() => {}); // the folder may be read-only
}
