/** @group slow, long */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { ask, processSettings, type RunningServer, serve, useProcessSettings } from './db/processes.ts';
import { authorization } from './support/administrator.ts';
import { newFolder } from './support/folder.ts';
import { programs } from './support/programs.ts';
import { until } from './support/until.ts';

const settings = useProcessSettings();

/** Returns all data that a connection receives until it is closed. */
async function read(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text;
}

/** Sends the half of a request, and resolves once the server has it. */
async function halfRequest(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => {});
  socket.write('POST /api/v1/path/ HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\n{');
  await ask(url, '/api/v1/path/default-domain');
  return socket;
}

/** Expects that a signal ends a server with 0, after a request that runs, and after no other one. */
async function endsAfterRequest({ url, child, ended }: RunningServer, signal: NodeJS.Signals): Promise<void> {
  const port = Number(new URL(url).port);
  const body = JSON.stringify({ 'entity-type': 'document', type: 'Folder', name: 'late' });
  const head = `POST /api/v1/path/ HTTP/1.1\r\nHost: h\r\nAuthorization: ${authorization}\r\nContent-Type: application/json`;
  const socket = connect(port, '127.0.0.1');
  socket.write(`${head}\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`);
  const idle = connect(port, '127.0.0.1');
  idle.write(
    `GET /api/v1/path/default-domain HTTP/1.1\r\nHost: h\r\nAuthorization: ${authorization}\r\n\r\n`,
  );
  await once(idle, 'data'); // by now the other request is pending
  const closed = read(idle);
  child.kill(signal);
  await refused(port);
  await closed; // before the end of the wait for the running request, which would cut off both
  socket.write(body.slice(10));
  expect(await read(socket)).toMatch(/^HTTP\/1\.1 201 /);
  expect(await ended).toEqual({ code: 0, signal: null });
}

describe('the server process', () => {
  test('prints its URL and how to try it in one line, becomes ready, and exits at once on a second signal', async () => {
    await using server = await serve(settings);
    const { url, child, ended, printed } = server;
    const lines = printed.out.split('\n').filter((line) => line.includes('Quire serves'));
    expect(lines).toHaveLength(1);
    const command = `curl -u Administrator:Administrator ${url}/api/v1/path/default-domain`;
    expect(lines[0]).toContain(`Quire serves ${url} - open it in a browser, or try: ${command}`);
    expect(url).toMatch(/^http:\/\/localhost:\d+$/);
    expect((await ask(url, '/api/v1/path/default-domain')).status).toBe(200);
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
    const socket = await halfRequest(url);
    child.kill('SIGTERM');
    while (!printed.out.includes('stopping')) await once(child.stdout ?? child, 'data');
    child.kill('SIGTERM');
    expect(await ended).toEqual({ code: 1, signal: null });
    socket.destroy();
  });

  test('prints no password that is not the stock one, and exits in ten seconds with an unfinished request', async () => {
    await using server = await serve({ ...settings, ADMIN_PASSWORD: 'Secret-of-mine' });
    const { url, child, ended, printed } = server;
    const socket = await halfRequest(url);
    const start = performance.now();
    child.kill('SIGTERM');
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(performance.now() - start).toBeLessThan(20_000);
    socket.destroy();
    expect(printed.out).toContain('try: curl -u Administrator http');
    expect(printed.out + printed.err).not.toContain('Secret-of-mine');
  });

  test('completes a running request on SIGTERM, refuses others, and exits with 0', async () => {
    await using server = await serve(settings);
    await endsAfterRequest(server, 'SIGTERM');
  });

  test.each(['1', '2'])(
    'with DRAIN_SECONDS and %s workers it is not ready, and serves, first',
    async (workers) => {
      await using server = await serve({ ...settings, WORKERS: workers, DRAIN_SECONDS: '60' });
      const { url, child, ended } = server;
      child.kill('SIGTERM');
      await until(async () => (await fetch(`${url}/health/ready`)).status === 503);
      const served = await ask(url, '/api/v1/path/default-domain');
      expect([served.status, served.headers.get('connection')]).toEqual([200, 'close']);
      child.kill('SIGTERM'); // it does not wait any longer
      expect(await ended).toEqual({ code: 1, signal: null });
    },
  );

  test('does so on SIGINT too, and leaves documents, blobs and a file that it converts to the next process', async () => {
    const begun = newFolder();
    const office = await programs({ soffice: `[ -e ${begun} ] && exit 3; touch ${begun}; sleep 300 & wait` });
    const own = await processSettings();
    try {
      const convertible = { ...own.settings, CONVERTER_FOLDERS: office };
      // With control characters it is no text, so that only LibreOffice could read it.
      const bytes = '\u0001\u0002\u0003\u0004 kept too';
      const content = { content: bytes, 'mime-type': 'application/msword' };
      const body = JSON.stringify({
        'entity-type': 'document',
        type: 'File',
        name: 'kept',
        properties: { 'dc:title': 'Kept', 'file:content': content },
      });
      await using server = await serve({ ...convertible, DRAIN_SECONDS: '1' });
      expect((await ask(server.url, '/api/v1/path/', { method: 'POST', body })).status).toBe(201);
      await until(() => existsSync(begun));
      await endsAfterRequest(server, 'SIGINT');
      expect(server.printed.out).not.toContain('is aborted');
      await using next = await serve(convertible);
      await until(() => next.printed.out.includes('A file could not be converted.'));
      const jobs = await ask(next.url, '/api/v1/management/jobs?kind=index-file');
      expect(await jobs.json()).toMatchObject({ entries: [] }); // it is not held against the file
      const kept = await ask(next.url, '/api/v1/path/kept');
      expect(await kept.json()).toMatchObject({ title: 'Kept', path: '/kept' });
      expect(await (await ask(next.url, '/api/v1/path/kept/@blob')).text()).toBe(bytes);
      expect((await ask(next.url, '/api/v1/path/late')).status).toBe(200);
    } finally {
      await own[Symbol.asyncDispose]();
    }
  });
});

/** Resolves when no process listens on a port; a connection accepted at the last moment is reset. */
async function refused(port: number): Promise<void> {
  for (let code: string | undefined; code !== 'ECONNREFUSED'; ) {
    const socket = connect(port, '127.0.0.1');
    code = await new Promise((resolve) => {
      socket.once('connect', () => resolve(undefined));
      socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    });
    socket.destroy();
  }
}
