/** @group slow */
import { chownSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { makeEmbeddedFolder } from '../../src/embedded/files.ts';
import { freePort } from '../../src/embedded/free-port.ts';
import { choosePlace, clusterFolder } from '../../src/embedded/place.ts';
import { ask, run, serve } from '../db/processes.ts';
import {
  debianCluster,
  isDebianPostgresInstalled,
  titleOnDebianPostgres,
} from '../support/debian-postgres.ts';
import { newFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';

/** Kills a start while it carries rows over; the next start begins anew. */
async function interruptCarryOver(dataDir: string): Promise<void> {
  const started = run('src/serve.ts', { PORT: '0', DATA_DIR: dataDir });
  const pidFile = join(choosePlace(dataDir).folder, 'unfinished', 'cluster', 'postmaster.pid');
  await until(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8').includes('ready'));
  const host = Number(readFileSync(join(dataDir, 'lock'), 'utf8').split(' ')[0]);
  started.child.kill('SIGKILL');
  process.kill(host, 'SIGKILL');
  await started.ended;
}

const title = 'The rows of an embedded PostgreSQL of an older major version are carried over';

(isDebianPostgresInstalled ? test : test.skip)(titleOnDebianPostgres(title), async () => {
  const dataDir = newFolder();
  const { cluster, engine } = debianCluster(dataDir);
  const older = await engine.start(await freePort());
  const first = await serve({ DATA_DIR: dataDir, DATABASE_URL: older.url });
  const body = JSON.stringify({ 'entity-type': 'document', type: 'Folder', name: 'carried' });
  expect((await ask(first.url, '/api/v1/path/', { method: 'POST', body })).status).toBe(201);
  first.child.kill('SIGTERM');
  await first.ended;
  await older.stop();
  await interruptCarryOver(dataDir);
  await using next = await serve({ DATA_DIR: dataDir });
  expect(next.printed.out).toContain('PostgreSQL 18.4 runs on');
  expect((await ask(next.url, '/api/v1/path/carried')).status).toBe(200);
  expect(existsSync(cluster)).toBe(false);
  expect(existsSync(join(dataDir, 'embedded', 'programs-15.0'))).toBe(false);
});

test('A cluster whose programs are gone is not replaced by an empty one', async () => {
  const dataDir = newFolder();
  const folder = makeEmbeddedFolder(dataDir);
  mkdirSync(clusterFolder(folder, 15));
  if (process.getuid?.() === 0) chownSync(clusterFolder(folder, 15), 65_534, 65_534);
  const started = run('src/serve.ts', { PORT: '0', DATA_DIR: dataDir });
  expect(await started.ended).toEqual({ code: 1, signal: null });
  expect(started.printed.err).toContain(
    'is a cluster of PostgreSQL 15, but the programs of this version have been deleted',
  );
});
