import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { lockAbandoned } from './folder-lock.ts';
import { servePglite } from './pglite-sessions.ts';

// PGlite as a process, which speaks PostgreSQL's protocol on loopback.

export interface PgliteOrder {
  readonly folder: string;
  readonly password: string;
  readonly port: number;
}

export type PgliteMessage = 'ready' | { readonly fault: string };

/** Milliseconds that a process which was left over may take to end. */
const patience = 20_000;

const vacuumInterval = 60_000; // milliseconds

const startParams = [...PGlite.defaultStartParams, '-c', 'log_startup_progress_interval=0'];

const createProgram =
  'require(process.argv[1]).PGlite.create(process.argv[2]).then((db) => db.close()).then(() => process.exit())';

/**
 * In a process of its own, since creating a database takes 500 MB, which a process never gives back. It is
 * over before better machine code pays: compiling that is a third of its work.
 */
async function create(folder: string): Promise<void> {
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true, mode: 0o700 });
  const pglite = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  const options = ['--liftoff-only', '--eval', createProgram];
  await promisify(execFile)(process.execPath, [...options, pglite, unfinished]);
  renameSync(unfinished, folder);
}

/** A process whose host was killed ends soon, but not at once. */
async function lock(folder: string): Promise<() => void> {
  for (const end = performance.now() + patience; ; await wait(100)) {
    try {
      return await lockAbandoned(folder, () => process.exit(1));
    } catch (error) {
      if (performance.now() > end) throw error;
    }
  }
}

async function serve({ folder, password, port }: PgliteOrder): Promise<() => Promise<void>> {
  if (!existsSync(folder)) await create(folder);
  chmodSync(folder, 0o700); // PGlite's files are open to all users: only the folder keeps them out
  const unlock = await lock(dirname(folder).concat('/embedded'));
  const db = await PGlite.create({ dataDir: folder, startParams, extensions: { pg_trgm } });
  const sessions = await servePglite(db, { port, password });
  // There is no autovacuum: plans made for a few rows would be kept for a million.
  setInterval(() => void sessions.vacuum(), vacuumInterval).unref();
  return async () => {
    await sessions.close();
    await db.close();
    unlock();
  };
}

const [order] = (await once(process, 'message')) as [PgliteOrder];
const left = once(process, 'disconnect');
try {
  const close = await serve(order);
  process.send?.('ready' satisfies PgliteMessage);
  await left;
  await close();
  process.exit();
} catch (error) {
  process.stderr.write(`${(error as Error).stack}\n`);
  const fault = `PGlite does not start: ${(error as Error).message}`;
  process.send?.({ fault } satisfies PgliteMessage, undefined, undefined, () => process.exit(1));
}
