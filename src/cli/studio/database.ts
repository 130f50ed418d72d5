import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Config } from '../../config.ts';
import { databaseFolder, openDataFolder } from '../../db/embedded.ts';
import { serveSocket } from '../../db/embedded-socket.ts';
import { serverVersion } from '../../db/server-version.ts';
import { Unavailable } from '../../errors.ts';
import { loopback } from './proxy.ts';

export interface StudioDatabase {
  readonly url: URL;
  readonly name: string;
  readonly close: () => Promise<void>;
}

const embeddedUrl = (port: number): URL => new URL(`postgresql://postgres@${loopback}:${port}/postgres`);

/** The embedded database of a running server, by its EMBEDDED_PORT. */
async function runningDatabase(
  { EMBEDDED_PORT: port, DATA_DIR }: Config,
  inUse: Unavailable,
): Promise<StudioDatabase> {
  if (port === undefined) {
    throw new Unavailable(
      `${inUse.message}\nTo look at it while that process runs, set EMBEDDED_PORT for both.`,
    );
  }
  const version = await serverVersion(embeddedUrl(port)).catch(() => '');
  if (!version.includes('PGlite')) {
    throw new Unavailable(
      `${inUse.message}\nIt does not answer on EMBEDDED_PORT ${port}: start it with the same one.`,
    );
  }
  return {
    url: embeddedUrl(port),
    name: `the embedded database of ${resolve(DATA_DIR)}`,
    close: async () => {},
  };
}

async function embeddedDatabase(config: Config): Promise<StudioDatabase> {
  const { DATA_DIR } = config;
  if (!existsSync(databaseFolder(DATA_DIR))) {
    throw new Unavailable(
      `there is no database in ${DATA_DIR} yet: the server creates it at its first start`,
    );
  }
  try {
    const { db, unlock } = await openDataFolder(DATA_DIR);
    const socket = await serveSocket(db, 0);
    const close = async () => {
      await socket.close();
      await db.close();
      unlock();
    };
    const name = `the embedded database of ${resolve(DATA_DIR)}, which no server can open meanwhile`;
    return { url: embeddedUrl(socket.port), name, close };
  } catch (error) {
    if (error instanceof Unavailable) return runningDatabase(config, error);
    throw error;
  }
}

/** Opens the database that the settings name. @throws Unavailable with advice, when a server has it open. */
export async function openStudioDatabase(config: Config): Promise<StudioDatabase> {
  if (config.DATABASE_URL === undefined) return embeddedDatabase(config);
  const url = new URL(config.DATABASE_URL);
  await serverVersion(url);
  return { url, name: `the database ${url.pathname.slice(1)} of ${url.host}`, close: async () => {} };
}
