import type { EmbeddedDatabase, EmbeddedSettings } from '../../src/embedded/attach.ts';

const compiled = new URL('../../dist/embedded/attach.js', import.meta.url);

/**
 * Attaches an embedded database with the compiled program, because its host process runs without a TypeScript
 * loader.
 */
export async function attachEmbedded(settings: EmbeddedSettings): Promise<EmbeddedDatabase> {
  const { attachEmbedded: attach } = await import(compiled.pathname);
  return attach(settings);
}
