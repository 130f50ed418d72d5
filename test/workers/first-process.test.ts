/** @group slow */
import { readdir, readFile, readlink } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { sweeps } from '../../src/jobs/kinds/sweeps.ts';
import { ask, processSettings, serve } from '../db/processes.ts';
import { until } from '../support/until.ts';

/** The connections of a process to a port, which Linux tells. */
async function connections(pid: number, port: number): Promise<number> {
  const descriptors = await readdir(`/proc/${pid}/fd`);
  const links = await Promise.all(
    descriptors.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')),
  );
  const remote = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const lines = (await readFile(`/proc/${pid}/net/tcp`, 'utf8')).trim().split('\n');
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , peer, , , , , , , inode]) => peer?.endsWith(remote) && links.includes(`socket:[${inode}]`))
    .length;
}

(process.platform === 'linux' ? test : test.skip)(
  'The first process of several has a pool of four, and leaves executions to the workers',
  async () => {
    await using own = await processSettings({ isStocked: true });
    const settings = { ...own.settings, WORKERS: '2', DATABASE_CONNECTIONS: '20', LOG_LEVEL: 'debug' };
    await using server = await serve(settings);
    const pid = server.child.pid ?? 0;
    const done = (kind: string) =>
      server.printed.out.split('\n').flatMap((line) => {
        if (!line.includes('A job was completed.')) return [];
        const said = JSON.parse(line) as { readonly kind: string; readonly pid: number };
        return said.kind.startsWith(kind) ? [said.pid] : [];
      });
    await until(() => Object.keys(sweeps).every((kind) => done(kind).length > 0));
    const port = Number(new URL(own.settings.DATABASE_URL ?? '').port);
    expect(await connections(pid, port)).toBeLessThanOrEqual(7);
    const asked = Array.from({ length: 12 }, () =>
      ask(server.url, '/api/v1/automation/Repository.Query/@async', {
        method: 'POST',
        body: JSON.stringify({ params: { query: 'SELECT * FROM Folder' } }),
      }),
    );
    for (const { status } of await Promise.all(asked)) expect(status).toBe(202);
    await until(() => done('run-execution').length === 12);
    expect(done('run-execution')).not.toContain(pid);
  },
);
