import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PGlite } from '@electric-sql/pglite';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import type { Driver } from './database.ts';
import { lockFolder } from './lock.ts';
import { serveSocket } from './socket.ts';

/** The child's whole program: create a database in the folder given, and leave. */
const createFolder =
  'require(process.argv[1]).PGlite.create(process.argv[2]).then((db) => db.close()).then(() => process.exit())';

/**
 * Lays down an empty database. In a process of its own, since creating one leaves 500 MB behind that are
 * never given back; under another name first, so that a half-made one is never taken for a whole one.
 */
async function createDatabaseFolder(folder: string): Promise<void> {
  const unfinished = `${folder}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  const pglite = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  await promisify(execFile)(process.execPath, ['--eval', createFolder, pglite, unfinished]);
  await rename(unfinished, folder);
}

/** Start-up says nothing of its progress: the timer for it would keep a stopping process alive. */
const startParams = [...PGlite.defaultStartParams, '-c', 'log_startup_progress_interval=0'];

/** Opens an embedded PostgreSQL: in a folder, or in memory from nothing or from a packed folder. */
export const openEmbedded = (from: { dataDir?: string; loadDataDir?: Blob } = {}): Promise<PGlite> =>
  PGlite.create({ ...from, startParams });

/** A driver over an embedded PostgreSQL that is already open. */
export function embeddedDriver(db: PGlite, letGo: () => void = () => {}): Driver {
  return {
    adapter: new PrismaPGlite(db),
    // No statementTimeout: statements run one at a time on the event loop's own thread, and nothing ends them.
    query: async ({ text }, values) => (await db.query(text, values)).rows,
    exclusively: (work) => work(), // the folder's lock sees to that
    close: async () => {
      await db.close();
      letGo();
    },
  };
}

/** Where in a data folder the embedded database is. */
export const databaseFolder = (dataDir: string): string => join(dataDir, 'postgres');

/** An open data folder; letting go of it does not close the database. */
interface OpenFolder {
  readonly db: PGlite;
  readonly letGo: () => void;
}

/**
 * Opens the embedded PostgreSQL of a data folder, and creates it first where there is none.
 * @throws Unavailable when another process has the folder.
 */
export async function openFolder(dataDir: string): Promise<OpenFolder> {
  await mkdir(dataDir, { recursive: true });
  const letGo = lockFolder(dataDir);
  try {
    const folder = databaseFolder(dataDir);
    if (!existsSync(folder)) await createDatabaseFolder(folder);
    return { db: await openEmbedded({ dataDir: folder }), letGo };
  } catch (error) {
    letGo();
    throw error;
  }
}

/**
 * A driver over the embedded PostgreSQL of a data folder, which other programs may open too where a port is given.
 * @throws Unavailable when another process has the folder, or the port.
 */
export async function connectEmbedded(dataDir: string, port?: number): Promise<Driver> {
  const { db, letGo } = await openFolder(dataDir);
  const driver = embeddedDriver(db, letGo);
  if (port === undefined) return driver;
  try {
    const socket = await serveSocket(db, port);
    return {
      ...driver,
      close: async () => {
        await socket.close();
        await driver.close();
      },
    };
  } catch (error) {
    await driver.close();
    throw error;
  }
}
