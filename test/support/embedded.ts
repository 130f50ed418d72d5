import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { EmbeddedDatabase, EmbeddedSettings } from '../../src/embedded/attach.ts';
import { pgliteFolder } from '../../src/embedded/pglite.ts';

const compiled = new URL('../../dist/embedded/attach.js', import.meta.url);

/** Attaches an embedded database by the compiled program: its host is a process that Node runs without a loader. */
export async function attachEmbedded(settings: EmbeddedSettings): Promise<EmbeddedDatabase> {
  const { attachEmbedded: attach } = await import(compiled.pathname);
  return attach(settings);
}

/** Lays a copy of a data folder's database, which no process uses, into another data folder. */
export async function copyData(from: string, to: string): Promise<void> {
  const parts = [pgliteFolder(from), join(from, 'embedded')];
  await Promise.all(
    parts.map((part) =>
      cp(part, part.replace(from, to), { recursive: true, force: true }).catch(ignoreAbsence),
    ),
  );
}

function ignoreAbsence(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
