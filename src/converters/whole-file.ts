import { open, readFile, stat } from 'node:fs/promises';

/** The maximum size, in bytes, of files that a library reads completely into memory. */
const fileLimit = 100_000_000;

/** @throws Error if the file is too large to read into memory. */
export async function requireSmall(file: string): Promise<void> {
  const { size } = await stat(file);
  if (size > fileLimit) throw new Error(`the file is larger than ${fileLimit} bytes`);
}

/** Reads a file into memory. @throws Error if it is too large. */
export async function readWhole(file: string): Promise<Buffer> {
  await requireSmall(file);
  return readFile(file);
}

/** Reads the first `length` bytes of a file; fewer if the file is shorter. */
export async function readBeginning(file: string, length: number): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
