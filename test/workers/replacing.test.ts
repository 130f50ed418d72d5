/** @group slow, long */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { isRunning } from '../../src/process-state.ts';
import { ask, type RunningServer, serve, useProcessSettings } from '../db/processes.ts';
import { authorization } from '../support/administrator.ts';
import { newFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';

const settings = useProcessSettings();
const onLinux = process.platform === 'linux' ? test : test.skip;

async function workersOf({ child: { pid } }: RunningServer): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.trim().split(' ').map(Number);
}

/** Asks until two processes have answered, which are the workers. */
async function serving(server: RunningServer): Promise<number[]> {
  const headers = { connection: 'close' };
  const pids = () =>
    new Set([...server.printed.out.matchAll(/"pid":(\d+)[^\n]*"req":\{/g)].map(([, pid]) => Number(pid)));
  await until(async () => {
    await ask(server.url, '/api/v1/path/default-domain', { headers });
    return pids().size === 2;
  });
  return [...pids()];
}

/** Sends the half of a request. @returns how its other half is sent, with the answer. */
async function beginRequest({ url }: RunningServer, name: string): Promise<() => Promise<string>> {
  const body = JSON.stringify({ 'entity-type': 'document', type: 'Folder', name });
  const head = [
    'POST /api/v1/path/ HTTP/1.1',
    'Host: h',
    `Authorization: ${authorization}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Expect: 100-continue',
  ];
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  const [begun] = await once(socket, 'data');
  expect(String(begun)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  socket.write(body.slice(0, 10));
  return () => {
    socket.write(body.slice(10));
    return text(socket);
  };
}

const replaced = ({ printed }: RunningServer): number =>
  printed.out.match(/A worker was replaced/g)?.length ?? 0;

onLinux(
  'A worker that SIGUSR2 replaces finishes its requests beside new ones, however long they take, until SIGTERM',
  async () => {
    await using server = await serve({ ...settings, WORKERS: '2' });
    const before = await serving(server);
    const answers = [await beginRequest(server, 'slow-one'), await beginRequest(server, 'slow-other')];
    server.child.kill('SIGUSR2');
    await until(() => replaced(server) === 2, 110_000);
    await wait(10_000); // a worker that is stopped cuts off what it has after nine seconds
    expect(before.every(isRunning)).toBe(true);
    expect((await workersOf(server)).length).toBe(4);

    server.child.kill('SIGUSR2');
    await until(() => server.printed.out.includes('Replaced workers are still finishing requests'));
    expect(replaced(server)).toBe(2);
    for (const answer of answers) {
      const received = await answer();
      expect(received).toMatch(/^HTTP\/1\.1 201 /);
      expect(received.toLowerCase()).toContain('\r\nconnection: close\r\n');
    }
    await until(() => replaced(server) === 4, 110_000);
    await until(() => !before.some(isRunning));
    const after = await workersOf(server);
    expect(after.length).toBe(2);

    // SIGTERM ends in ten seconds also the workers that were replaced.
    await beginRequest(server, 'cut');
    server.child.kill('SIGUSR2');
    await until(() => replaced(server) > 4 && after.some(isRunning));
    const all = await workersOf(server);
    const begun = performance.now();
    server.child.kill('SIGTERM');
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(performance.now() - begun).toBeLessThan(20_000);
    await until(() => !all.some(isRunning));
  },
  400_000,
);

onLinux('Workers that cannot be started are tried again, and those that serve go on', async () => {
  const folder = newFolder();
  const gone = join(folder, 'gone');
  const preload = join(folder, 'preload.mjs');
  // Node is not to be found while a file exists: as without processes or descriptors, that is no end of a process.
  writeFileSync(
    preload,
    `import { existsSync } from 'node:fs';
     const path = process.execPath;
     const get = () => (existsSync(${JSON.stringify(gone)}) ? '/nowhere/node' : path);
     Object.defineProperty(process, 'execPath', { get });`,
  );
  await using server = await serve({ ...settings, WORKERS: '2', NODE_OPTIONS: `--import ${preload}` });
  const [killed = 0, other = 0] = await serving(server);
  writeFileSync(gone, '');
  process.kill(killed, 'SIGKILL');
  await until(() => server.printed.out.includes('A worker could not be started; the server tries again'));
  server.child.kill('SIGUSR2');
  await until(() =>
    server.printed.out.includes('A new worker cannot start; the old workers continue to serve'),
  );
  expect((await ask(server.url, '/api/v1/path/default-domain')).status).toBe(200);
  expect(await workersOf(server)).toEqual([other]);
  await rm(gone);
  await until(async () => (await workersOf(server)).length === 2, 60_000);
  server.child.kill('SIGTERM');
  expect(await server.ended).toEqual({ code: 0, signal: null });
});
