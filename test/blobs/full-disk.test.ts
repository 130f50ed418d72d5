/** @group slow */
import { readdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ask, kill, printing, processSettings } from '../db/processes.ts';
import { authorization } from '../support/administrator.ts';
import { linesOf, type OnSmallDisk, runOnSmallDisk, unshare } from '../support/small-disk.ts';
import { until } from '../support/until.ts';

interface FullServer extends OnSmallDisk {
  readonly url: string;
}

/** Starts the server with its blobs on a disk of 8 MB. */
async function serveOnSmallDisk(settings: Record<string, string>): Promise<FullServer> {
  const running = await runOnSmallDisk(join(settings.DATA_DIR ?? '', 'blobs'), 8, settings);
  const [, url = ''] = await printing(running, /Quire serves (\S+)/);
  return { ...running, url };
}

const workspaces = '/api/v1/path/default-domain/workspaces';

const create = (url: string, name: string, content?: string) => {
  const properties = content === undefined ? {} : { 'file:content': { content } };
  const body = JSON.stringify({ 'entity-type': 'document', type: 'File', name, properties });
  return ask(url, workspaces, { method: 'POST', body });
};

const title = unshare
  ? '§7 a full disk of the blobs'
  : '§7 a full disk of the blobs (SKIPPED: this account may mount no disk, not even in a namespace)';

(unshare ? describe : describe.skip)(title, () => {
  test('refuses bytes with 507 and nothing else, until there is space again', async () => {
    await using shared = await processSettings({ isStocked: true });
    const server = await serveOnSmallDisk(shared.settings);
    const { url, disk } = server;
    const start = performance.now();
    try {
      expect((await create(url, 'before', 'b'.repeat(1_000_000))).status).toBe(201);
      const { batchId } = await (await ask(url, '/api/v1/upload', { method: 'POST' })).json();
      const upload = (file: number, length: number) =>
        ask(url, `/api/v1/upload/${batchId}/${file}`, {
          method: 'POST',
          body: Buffer.alloc(length, `${file}`),
          headers: { 'Content-Type': 'application/octet-stream' },
        });
      const tooLarge = await upload(0, 20_000_000);
      expect(tooLarge.status).toBe(507);
      expect(await tooLarge.json()).toMatchObject({
        status: 507,
        message: 'There is no space left on the server, so nothing was stored.',
      });
      expect(await readdir(join(disk, 'unfinished'))).toEqual([]);
      expect((await upload(0, 100_000)).status).toBe(201);

      const { bavail, bsize } = await statfs(disk);
      await writeFile(join(disk, 'filler'), Buffer.alloc(bavail * bsize));
      for (let file = 1; file < 20; file += 1) expect((await upload(file, 50_000)).status).toBe(507);
      expect((await create(url, 'never', 'n'.repeat(50_000))).status).toBe(507);
      expect((await ask(url, `${workspaces}/never`)).status).toBe(404);
      const form = new FormData();
      form.append('params', JSON.stringify({ context: { currentDocument: '/default-domain/workspaces' } }));
      form.append('input', new Blob(['p'.repeat(50_000)]), 'never.txt');
      const imported = await fetch(`${url}/api/v1/automation/FileManager.Import`, {
        method: 'POST',
        headers: { Authorization: authorization },
        body: form,
      });
      expect(imported.status).toBe(507);
      expect((await create(url, 'without')).status).toBe(201);
      const blob = await ask(url, `${workspaces}/before/@blob`);
      expect(await blob.text()).toBe('b'.repeat(1_000_000));
      expect(await readdir(join(disk, 'unfinished'))).toEqual([]);

      await rm(join(disk, 'filler'));
      expect((await upload(1, 50_000)).status).toBe(201);
      expect((await create(url, 'after', 'n'.repeat(50_000))).status).toBe(201);

      await writeFile(join(disk, 'filler'), Buffer.alloc(bavail * bsize)).catch(() => {});
      expect((await create(url, 'again', 'o'.repeat(50_000))).status).toBe(507);
      const full = () =>
        linesOf(server).filter(({ msg }) => msg === 'Requests failed because a disk is full.');
      const counted = () => full().reduce((sum, { count = 0 }) => sum + count, 0);
      await until(() => counted() >= 23); // the log counts for ten seconds
      expect(counted()).toBe(23);
      expect(full().length).toBeLessThanOrEqual(1 + (performance.now() - start) / 10_000);
      expect(linesOf(server).filter(({ level, err }) => level >= 50 || err !== undefined)).toEqual([]);
      const began = performance.now();
      server.child.kill('SIGTERM');
      expect(await server.ended).toEqual({ code: 0, signal: null });
      expect(performance.now() - began).toBeLessThan(20_000);
    } finally {
      await kill(server);
    }
  });
});
