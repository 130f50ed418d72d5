import { stat } from 'node:fs/promises';
import { Invalid } from '../errors.ts';

/** @throws Invalid for a folder, and for what is not there. */
export async function requireFile(file: string): Promise<void> {
  const stats = await stat(file).catch(() => undefined);
  if (!stats || stats.isDirectory()) throw new Invalid(`${file} is no file`);
}
