import { execFile } from 'node:child_process';
import { chmod, chown, mkdtemp, rm, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { loadModel } from '../../src/model/contributed/contributed.ts';
import { hashPassword } from '../../src/store/authorities/passwords.ts';
import { markNewIndex } from '../../src/store/search/index-analysis.ts';
import { startIndexing } from '../../src/store/search/search-indexes.ts';
import { createStockContent } from '../../src/store/stock/stock-content.ts';
import { plainAnalysis } from '../../src/words/atoms.ts';
import { makeTemplate } from './database.ts';
import { attachEmbedded } from './embedded.ts';
import { newFolder, runFolder } from './folder.ts';
import { indexChanges } from './index-changes.ts';

declare global {
  var closeTestDatabases: Array<() => Promise<void>> | undefined;
}

const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Builds the programs like `npm run build`, but without type checking. Tests that start processes run these programs.
 */
async function build(): Promise<void> {
  const run = promisify(execFile);
  await run(join(root, 'node_modules/.bin/tsc'), ['-p', 'tsconfig.build.json', '--noCheck'], { cwd: root });
  await run('npm', ['run', 'bundle'], { cwd: root });
  await run(process.execPath, [join(root, 'dist/cli/build-console.js')], { cwd: root });
}

const memory = '/dev/shm';

/**
 * Stores databases in memory if there is enough space. A database consists of 500 files, which take ten times as long
 * to create on a disk.
 */
async function layInMemory(client: pg.Client): Promise<() => Promise<void>> {
  const room = await statfs(memory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0, // Other systems have no /dev/shm.
  );
  if (room < 2_000_000_000) return async () => {};
  const folder = await mkdtemp(join(memory, 'quire-test-'));
  const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
  const { uid, gid } = await stat(rows[0]?.data_directory ?? '');
  await chown(folder, uid, gid);
  await client.query(`CREATE TABLESPACE memory LOCATION '${folder}'`);
  await client.query('ALTER DATABASE template1 SET TABLESPACE memory');
  return () => rm(folder, { recursive: true, force: true });
}

/**
 * Starts an embedded PostgreSQL for all test files. Its data does not need to survive a crash, so it does not use
 * fsync.
 */
async function startServer(): Promise<() => Promise<void>> {
  const { url, close } = await attachEmbedded({ dataDir: newFolder() });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('ALTER SYSTEM SET fsync = off');
  await client.query('ALTER SYSTEM SET full_page_writes = off');
  await client.query('ALTER SYSTEM SET scram_iterations = 1'); // Tests open several thousand connections.
  await client.query('SELECT pg_reload_conf()');
  await client.query(`ALTER ROLE quire PASSWORD '${new URL(url).password}'`);
  const remove = await layInMemory(client);
  await client.end();
  process.env.TEST_DATABASE_URL = url;
  return async () => {
    await close();
    await remove();
  };
}

/**
 * Builds the programs, and creates the database with the default content. Each test file gets a copy of this database.
 */
export default async function globalSetup(): Promise<void> {
  process.env[runFolder] = await mkdtemp(join(tmpdir(), 'quire-test-'));
  await chmod(process.env[runFolder] ?? '', 0o711); // PostgreSQL runs as another user if the tests run as root.
  if (process.env.TEST_BUILT === undefined) await build(); // .ci/run sets this variable when it runs tests again.
  const closing: Array<() => Promise<void>> = [];
  if (!process.env.TEST_DATABASE_URL) closing.unshift(await startServer());
  globalThis.closeTestDatabases = closing;
  const remove = await makeTemplate(async (database) => {
    await database.migrate();
    const model = await loadModel(undefined);
    await markNewIndex(database, plainAnalysis);
    await createStockContent(database, model, {
      repositories: ['default'],
      administrator: { username: 'Administrator', password: 'Administrator' },
      hash: hashPassword,
      isAdded: false,
    });
    await indexChanges(database);
    await startIndexing(database, model, {
      onDone: () => {},
      onError: (error) => {
        throw error;
      },
    }).settled;
  });
  closing.unshift(remove);
}
