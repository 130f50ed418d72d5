import type { EmbeddedDatabase, EmbeddedSettings } from '../../src/embedded/attach.ts';

const compiled = new URL('../../dist/embedded/attach.js', import.meta.url);

/** Attaches an embedded database by the compiled program: its host is a process that Node runs without a loader. */
export async function attachEmbedded(settings: EmbeddedSettings): Promise<EmbeddedDatabase> {
  const { attachEmbedded: attach } = await import(compiled.pathname);
  return attach(settings);
}
