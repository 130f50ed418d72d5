/** @group slow */
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { ask, kill, printing } from '../db/processes.ts';
import { newFolder } from '../support/folder.ts';
import { linesOf, mayMountAsRoot, runOnSmallDisk } from '../support/small-disk.ts';
import { until } from '../support/until.ts';

const serves = /Quire serves (\S+)/;

const create = async (url: string, name: string): Promise<number> => {
  const body = JSON.stringify({ 'entity-type': 'document', type: 'Folder', name });
  return (await ask(url, '/api/v1/path/', { method: 'POST', body })).status;
};

const statusOf = async (url: string, path: string): Promise<number> => (await ask(url, path)).status;

/** Fills a disk up to the last byte. */
async function fill(disk: string): Promise<void> {
  for (const name of ['large', 'small']) {
    const { bavail, bsize } = await statfs(disk);
    await writeFile(join(disk, name), Buffer.alloc(bavail * bsize)).catch(() => {});
  }
}

async function free(disk: string): Promise<void> {
  for (const name of ['large', 'small']) await rm(join(disk, name), { force: true });
}

/** Writes to the log that PostgreSQL writes ahead, and to nothing else, until the disk takes no more. */
async function fillLog(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => {});
  await client.connect();
  const emit = "SELECT pg_logical_emit_message(true, 'full', repeat('x', 1000000))";
  await expect(
    (async () => {
      for (let megabyte = 0; megabyte < 300; megabyte += 1) await client.query(emit);
    })(),
  ).rejects.toThrow();
  await client.end().catch(() => {});
}

const title = mayMountAsRoot
  ? '§7 a full disk of the embedded PostgreSQL'
  : '§7 a full disk of the embedded PostgreSQL (SKIPPED: this account may mount no disk)';

(mayMountAsRoot ? describe : describe.skip)(title, () => {
  test('refuses writes with 503, and everything once its log is full, until there is space again', async () => {
    const dataDir = newFolder();
    const server = await runOnSmallDisk(dataDir, 200, { DATA_DIR: dataDir });
    try {
      const { disk, child, ended } = server;
      const [, url = ''] = await printing(server, serves);
      const databaseUrl = (await readFile(join(disk, 'embedded', 'url'), 'utf8')).trim();
      expect(await create(url, 'before')).toBe(201);
      const acknowledged = ['before'];

      await fill(disk);
      // A write that fits into the free space of the files still succeeds after others were refused.
      const refused: string[] = [];
      for (let attempt = 0; attempt < 200 && refused.length < 5; attempt += 1) {
        const name = `full-${attempt}`;
        const status = await create(url, name);
        expect([201, 503]).toContain(status);
        (status === 201 ? acknowledged : refused).push(name);
      }
      expect(refused).toHaveLength(5);
      expect(await statusOf(url, '/api/v1/path/before')).toBe(200);

      await fillLog(databaseUrl);
      await until(async () => (await statusOf(url, '/api/v1/path/before')) === 503);
      expect(await statusOf(url, '/health/ready')).toBe(503);
      expect(await statusOf(url, '/health/live')).toBe(200);
      await wait(4_000); // several starts fail
      await free(disk);
      await until(async () => (await create(url, 'after')) !== 503);
      acknowledged.push('after');
      for (const name of acknowledged) expect(await statusOf(url, `/api/v1/path/${name}`)).toBe(200);
      for (const name of refused) expect(await statusOf(url, `/api/v1/path/${name}`)).toBe(404);
      const report = await readFile(join(disk, 'embedded', 'host.log'), 'utf8');
      expect(report).toContain('No space left on device');
      expect(report.split('\n').length).toBeLessThan(5);

      const refusals = () =>
        linesOf(server).filter(({ msg }) => msg === 'Requests failed because a disk is full.');
      await until(() => refusals().length > 0); // they are counted for a while before they are logged

      await fill(disk);
      await fillLog(databaseUrl);
      const began = performance.now();
      child.kill('SIGTERM');
      expect(await ended).toEqual({ code: 0, signal: null });
      expect(performance.now() - began).toBeLessThan(10_000);
      expect(refusals().length).toBeLessThan(6);
    } finally {
      await kill(server);
    }
  });

  test('ends the first start with the reason, and the next one begins anew', async () => {
    const dataDir = newFolder();
    const before = `! "$0" "$@" && mount -o remount,size=200m '${dataDir}'`;
    const server = await runOnSmallDisk(dataDir, 88, { DATA_DIR: dataDir }, before);
    try {
      const [, url = ''] = await printing(server, serves);
      expect(server.printed.err).toMatch(
        /^Quire cannot start:\nThe embedded database of .* cannot be created: no space left on device\.\n$/i,
      );
      expect(server.printed.out).toContain('PostgreSQL 18.4 runs on');
      expect(existsSync(join(server.disk, 'postgres'))).toBe(false);
      expect(await readdir(join(server.disk, 'embedded'))).not.toContain('unfinished');
      expect(await create(url, 'first')).toBe(201);
      server.child.kill('SIGTERM');
      await server.ended;
    } finally {
      await kill(server);
    }
  });
});
