import { readFile, stat } from 'node:fs/promises';

/** The maximum size, in bytes, of files that a library reads into memory completely. */
const fileLimit = 100_000_000;

/** @throws Error if the file is too large to be read into memory. */
export async function requireSmall(file: string): Promise<void> {
  const { size } = await stat(file);
  if (size > fileLimit) throw new Error(`the file is larger than ${fileLimit} bytes`);
}

/** Reads a file into memory. @throws Error if it is too large. */
export async function readWhole(file: string): Promise<Buffer> {
  await requireSmall(file);
  return readFile(file);
}
