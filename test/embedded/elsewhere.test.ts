/** @group slow */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { isRunning } from '../../src/process-state.ts';
import { ask, programArguments, serve } from '../db/processes.ts';
import { newFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';

// Namespaces of Linux stand for containers: numbers of processes, and in some tests the loopback, are their own.
const alone = ['--pid', '--fork', '--kill-child', '--mount-proc'];
const hasNamespaces = spawnSync('unshare', [...alone, '--net', 'true']).status === 0;

/** Runs a program of `src` as a container would, on a data folder. */
function contain(options: string[], file: string, dataDir: string, ...args: string[]) {
  const command = [...alone, ...options, process.execPath, ...programArguments(file), ...args];
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: '0' };
  const child = spawn('unshare', command, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = { text: '' };
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (printed.text += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, printed, ended };
}

const pidFile = (dataDir: string) => join(dataDir, 'embedded', 'postgresql-18', 'postmaster.pid');

(hasNamespaces ? describe : describe.skip)('A data folder that containers share', () => {
  test('is left alone by a command in another container while a server runs on it', async () => {
    const dataDir = newFolder();
    await using server = await serve({ DATA_DIR: dataDir });
    const before = readFileSync(pidFile(dataDir), 'utf8');
    const backup = contain(['--net'], 'src/cli/quire.ts', dataDir, 'migrate');
    expect(await backup.ended).toBe(1);
    expect(backup.printed.text).toMatch(/is in use by process \d+ of .*another container or machine/);
    expect(readFileSync(pidFile(dataDir), 'utf8')).toBe(before);
    const body = JSON.stringify({ 'entity-type': 'document', type: 'Folder', name: 'after' });
    expect((await ask(server.url, '/api/v1/path/', { method: 'POST', body })).status).toBe(201);
  });

  test('serves again after its container was killed', async () => {
    const dataDir = newFolder();
    const first = contain([], 'src/serve.ts', dataDir);
    await until(() => first.printed.text.includes('Quire serves'));
    const url = /Quire serves (\S+)/.exec(first.printed.text)?.[1] ?? '';
    const body = JSON.stringify({ 'entity-type': 'document', type: 'Folder', name: 'kept' });
    expect((await ask(url, '/api/v1/path/', { method: 'POST', body })).status).toBe(201);
    first.child.kill('SIGKILL');
    await first.ended;
    expect(existsSync(pidFile(dataDir))).toBe(true);
    const long = new Date(Date.now() - 60_000); // as if it had happened a minute ago
    utimesSync(join(dataDir, 'lock'), long, long);
    await using next = await serve({ DATA_DIR: dataDir });
    expect((await ask(next.url, '/api/v1/path/kept')).status).toBe(200);
  }, 240_000);
});

test('A host whose folder was taken meanwhile ends its PostgreSQL', async () => {
  const dataDir = newFolder();
  await using _ = await serve({ DATA_DIR: dataDir });
  const pids = [readFileSync(pidFile(dataDir), 'utf8'), readFileSync(join(dataDir, 'lock'), 'utf8')];
  const [postmaster = 0, host = 0] = pids.map((text) => Number.parseInt(text, 10));
  const taken = `7 1 ${'0'.repeat(16)} box\n`;
  writeFileSync(join(dataDir, 'lock'), taken);
  await until(() => !isRunning(postmaster) && !isRunning(host));
  expect(readFileSync(join(dataDir, 'embedded', 'host.log'), 'utf8')).toContain(
    'Another process has taken over',
  );
  expect(readFileSync(join(dataDir, 'lock'), 'utf8')).toBe(taken);
});
