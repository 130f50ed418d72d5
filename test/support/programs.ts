import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newFolder } from './folder.ts';

/**
 * Creates a folder with shell scripts that act as programs.
 * @param files the scripts, by program name
 */
export async function programs(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = newFolder();
  await mkdir(folder, { recursive: true });
  for (const [name, script] of Object.entries(files)) {
    await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(folder, name), 0o755);
  }
  return folder;
}
