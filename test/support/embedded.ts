import type { EmbeddedDatabase, EmbeddedSettings } from '../../src/embedded/attach.ts';

const compiled = new URL('../../dist/embedded/attach.js', import.meta.url);

/**
 * Starts or connects to an embedded database. The compiled code is used, because the database's host process runs
 * without a TypeScript loader.
 */
export async function attachEmbedded(settings: EmbeddedSettings): Promise<EmbeddedDatabase> {
  const { attachEmbedded: attach } = await import(compiled.pathname);
  return attach(settings);
}
