import { stat } from 'node:fs/promises';
import { Invalid } from '../errors.ts';

/**
 * Checks that a path is a file.
 * @throws Invalid if it does not exist or is a folder.
 */
export async function requireFile(file: string): Promise<void> {
  const stats = await stat(file).catch(() => undefined);
  if (!stats || stats.isDirectory())
    throw new Invalid(`${file} ${stats ? 'is a folder, not a file' : 'does not exist'}.`);
}
