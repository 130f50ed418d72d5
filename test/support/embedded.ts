import { cp } from 'node:fs/promises';
import type { EmbeddedDatabase, EmbeddedSettings } from '../../src/embedded/attach.ts';
import { pgliteFolder } from '../../src/embedded/pglite.ts';

const compiled = new URL('../../dist/embedded/attach.js', import.meta.url);

/** Attaches an embedded database by the compiled program: its host is a process that Node runs without a loader. */
export async function attachEmbedded(settings: EmbeddedSettings): Promise<EmbeddedDatabase> {
  const { attachEmbedded: attach } = await import(compiled.pathname);
  return attach(settings);
}

/** Lays a copy of the fallback's data, which no process uses, into another data folder. */
export const copyData = (from: string, to: string): Promise<void> =>
  cp(pgliteFolder(from), pgliteFolder(to), { recursive: true });
