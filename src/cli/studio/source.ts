import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import pg from 'pg';
import type { Config } from '../../config.ts';
import { databaseFolder, openFolder } from '../../db/embedded.ts';
import { serveSocket } from '../../db/socket.ts';
import { Unavailable } from '../../errors.ts';
import { loopback } from './proxy.ts';

/** The database that is shown. */
export interface Source {
  readonly url: URL;
  /** What it is, for people. */
  readonly name: string;
  readonly close: () => Promise<void>;
}

/** What a database says of its version: proves that it answers. */
async function versionOf(url: URL): Promise<string> {
  const client = new pg.Client({ connectionString: url.href, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    return (await client.query<{ version: string }>('SELECT version()')).rows[0]?.version ?? '';
  } finally {
    await client.end().catch(() => {}); // it never began, and the reason is on its way
  }
}

const embeddedUrl = (port: number): URL => new URL(`postgresql://postgres@${loopback}:${port}/postgres`);

/** The embedded database of a server that runs, and may have opened a port to it. */
async function ofServer({ EMBEDDED_PORT: port, DATA_DIR }: Config, inUse: Unavailable): Promise<Source> {
  if (port === undefined) {
    throw new Unavailable(
      `${inUse.message}\nTo look at it while that process runs, set EMBEDDED_PORT for both.`,
    );
  }
  const version = await versionOf(embeddedUrl(port)).catch(() => '');
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

async function embedded(config: Config): Promise<Source> {
  const { DATA_DIR } = config;
  if (!existsSync(databaseFolder(DATA_DIR))) {
    throw new Unavailable(
      `there is no database in ${DATA_DIR} yet: the server creates it at its first start`,
    );
  }
  try {
    const { db, letGo } = await openFolder(DATA_DIR);
    const socket = await serveSocket(db, 0);
    const close = async () => {
      await socket.close();
      await db.close();
      letGo();
    };
    const name = `the embedded database of ${resolve(DATA_DIR)}, which no server can open meanwhile`;
    return { url: embeddedUrl(socket.port), name, close };
  } catch (error) {
    if (error instanceof Unavailable) return ofServer(config, error);
    throw error;
  }
}

/** The database that the settings name, opened where no server has it. @throws Unavailable saying what to do. */
export async function findSource(config: Config): Promise<Source> {
  if (config.DATABASE_URL === undefined) return embedded(config);
  const url = new URL(config.DATABASE_URL);
  await versionOf(url);
  return { url, name: `the database ${url.pathname.slice(1)} of ${url.host}`, close: async () => {} };
}
