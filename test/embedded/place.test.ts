/** @group slow */
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { EmbeddedDatabase } from '../../src/embedded/attach.ts';
import { isRoot } from '../../src/embedded/files.ts';
import { ask, kill, type RunningServer, serve } from '../db/processes.ts';
import { attachEmbedded } from '../support/embedded.ts';
import { newFolder } from '../support/folder.ts';
import { query } from '../support/query.ts';
import { until } from '../support/until.ts';

const placeOf = (dataDir: string): string =>
  join('/var/lib/quire', readFileSync(join(dataDir, 'embedded', 'id'), 'utf8').trim());

const used: string[] = [];

/** A folder that only root can enter; its data folder has a place outside, which goes after the test. */
function closedFolder(): string {
  const folder = newFolder();
  chmodSync(folder, 0o700);
  return folder;
}

async function stop(server: RunningServer, dataDir: string): Promise<void> {
  await kill(server);
  await until(() => !existsSync(join(dataDir, 'lock')));
}

const postFolder = async (url: string): Promise<number> => {
  const body = JSON.stringify({ 'entity-type': 'document', type: 'Folder', name: 'kept' });
  return (await ask(url, '/api/v1/path/', { method: 'POST', body })).status;
};

const statusOf = async (url: string): Promise<number> => (await ask(url, '/api/v1/path/kept')).status;

async function attachAt(dataDir: string): Promise<EmbeddedDatabase> {
  const embedded = await attachEmbedded({ dataDir });
  used.push(placeOf(dataDir));
  return embedded;
}

afterEach(async () => {
  for (const folder of used) await until(() => !existsSync(join(folder, 'postgresql-18', 'postmaster.pid')));
  for (const folder of used.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const title = isRoot()
  ? 'Root below a folder that only root can enter'
  : 'Root below a folder that only root can enter (SKIPPED: this account is another one)';

(isRoot() ? describe : describe.skip)(title, () => {
  test('has the database below /var/lib/quire, which a moved data folder keeps, and never a copy', async () => {
    const folder = closedFolder();
    const dataDir = join(folder, 'data');
    const server = await serve({ DATA_DIR: dataDir });
    const place = placeOf(dataDir);
    used.push(place);
    expect(server.printed.out).toContain(
      `PostgreSQL 18.4 runs on ${place}/postgresql-18, because PostgreSQL refuses to run as root, and only root can enter`,
    );
    expect(statSync(join(place, 'postgresql-18')).mode & 0o777).toBe(0o700);
    expect(statSync(place).mode & 0o066).toBe(0);
    expect(await postFolder(server.url)).toBe(201);

    const copy = join(folder, 'copy');
    cpSync(dataDir, copy, { recursive: true });
    rmSync(join(copy, 'lock'));
    const fault = `is a copy of ${dataDir}/embedded, and the database of the original is in`;
    await expect(attachAt(copy)).rejects.toThrow(fault);
    expect(await statusOf(server.url)).toBe(200);
    await stop(server, dataDir);

    const moved = join(folder, 'moved');
    renameSync(dataDir, moved);
    const again = await attachAt(moved);
    const kept = await query(again.url, "SELECT name FROM document WHERE path = '/kept'");
    expect(kept).toEqual([{ name: 'kept' }]);
    await again.close();

    // Nor does it start on an empty database in place of one that is gone.
    await until(() => !existsSync(join(moved, 'lock')));
    rmSync(place, { recursive: true });
    await expect(attachAt(moved)).rejects.toThrow(
      `was in ${place}, which does not exist. Restore that folder, or`,
    );
  });

  test('has another database once the data folder was deleted', async () => {
    const dataDir = join(closedFolder(), 'data');
    const first = await attachAt(dataDir);
    await query(first.url, 'CREATE TABLE kept ()');
    await first.close();
    await until(() => !existsSync(join(dataDir, 'lock')));
    rmSync(dataDir, { recursive: true });
    const next = await attachAt(dataDir);
    expect(new Set(used).size).toBe(2);
    expect(await query(next.url, "SELECT to_regclass('kept') AS found")).toEqual([{ found: null }]);
    await next.close();
  });
});

const umaskTitle = isRoot()
  ? 'Root with the umask 077 has a PostgreSQL'
  : 'Root with the umask 077 has a PostgreSQL (SKIPPED: this account is another one)';

(isRoot() ? test : test.skip)(umaskTitle, async () => {
  const dataDir = join(newFolder(), 'data');
  mkdirSync(dataDir);
  const before = process.umask(0o077);
  const embedded = await attachEmbedded({ dataDir }).finally(() => process.umask(before));
  expect(embedded.notice).toContain('PostgreSQL 18.4 runs on');
  await embedded.close();
});
