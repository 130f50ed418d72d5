import { readFile, stat } from 'node:fs/promises';

/** Larger files are not read: libraries hold the whole of them in memory. */
const fileLimit = 100_000_000; // bytes

/** @throws when a file is too large to be held in memory. */
export async function requireSmall(file: string): Promise<void> {
  const { size } = await stat(file);
  if (size > fileLimit) throw new Error(`it is larger than ${fileLimit} bytes`);
}

/** The bytes of a file. @throws as `requireSmall` */
export async function readWhole(file: string): Promise<Buffer> {
  await requireSmall(file);
  return readFile(file);
}
