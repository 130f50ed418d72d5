import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isSameProcess, namespace, startOf } from '../process-state.ts';

/** A new name, which tells the process that writes the file. */
export const temporaryName = (): string =>
  [namespace(), process.pid, startOf(process.pid), randomUUID()].join('.');

/** Only of processes of this machine or container: whether one runs elsewhere cannot be known. */
function isLeft(name: string): boolean {
  const [where, pid, start = '', id] = name.split('.');
  return id !== undefined && where === namespace() && !isSameProcess(Number(pid), start);
}

/** Deletes the temporary files of processes that have ended. Other processes may write into the same folder. */
export async function removeLeftFiles(folder: string): Promise<void> {
  const left = (await readdir(folder)).filter(isLeft);
  for (const name of left) await rm(join(folder, name), { force: true }).catch(() => {}); // the folder may be read-only
}
