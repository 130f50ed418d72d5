import { resolve } from 'node:path';
import type { Config } from '../../config.ts';
import { primaryUrl } from '../../db/primary.ts';
import { serverVersion } from '../../db/server-version.ts';
import { hasEmbedded, openEmbedded } from '../../embedded/open-database.ts';
import { Unavailable } from '../../errors.ts';

/** The database that Prisma Studio shows. */
export interface StudioDatabase {
  readonly url: URL;
  readonly name: string;
  readonly close: () => Promise<void>;
}

async function embeddedDatabase(config: Config): Promise<StudioDatabase> {
  const folder = resolve(config.DATA_DIR);
  if (!hasEmbedded(folder))
    throw new Unavailable(
      `There is no database in ${folder} yet. The server creates it when it starts for the first time.`,
    );
  const { url, close } = await openEmbedded(config);
  return { url: new URL(url), name: `the embedded database of ${folder}`, close };
}

/**
 * Opens the configured database. A server can use it at the same time.
 * @throws Unavailable if it cannot be opened
 */
export async function openStudioDatabase(config: Config): Promise<StudioDatabase> {
  if (config.DATABASE_URL === undefined) return embeddedDatabase(config);
  const url = new URL(await primaryUrl(config.DATABASE_URL));
  await serverVersion(url);
  return { url, name: `the database ${url.pathname.slice(1)} of ${url.host}`, close: async () => {} };
}
