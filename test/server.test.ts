import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { ask, processSettings, serve, useProcessSettings } from './db/processes.ts';
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

describe('the server process', () => {
  test('prints its URL and how to try it in one line, and becomes ready', async () => {
    await using server = await serve(settings);
    const { url, printed } = server;
    const lines = printed.out.split('\n').filter((line) => line.includes('Quire serves'));
    expect(lines).toHaveLength(1);
    const command = `curl -u Administrator:Administrator ${url}/api/v1/path/default-domain`;
    expect(lines[0]).toContain(`Quire serves ${url} - open it in a browser, or try: ${command}`);
    expect(url).toMatch(/^http:\/\/localhost:\d+$/);
    expect((await ask(url, '/api/v1/path/default-domain')).status).toBe(200);
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
  });

  test('does not print a password that is not the stock one', async () => {
    await using server = await serve({ ...settings, ADMIN_PASSWORD: 'Secret-of-mine' });
    expect(server.printed.out).toContain('try: curl -u Administrator http');
    expect(server.printed.out + server.printed.err).not.toContain('Secret-of-mine');
  });

  test.each(['SIGTERM', 'SIGINT'] as const)(
    'completes a running request on %s, refuses others, and exits with 0',
    async (signal) => {
      await using server = await serve(settings);
      const { url, child, ended } = server;
      const { port } = new URL(url);
      const name = `late-${signal}`;
      const body = JSON.stringify({ 'entity-type': 'document', type: 'Folder', name });
      const head = `POST /api/v1/path/ HTTP/1.1\r\nHost: h\r\nAuthorization: ${authorization}\r\nContent-Type: application/json`;
      const socket = connect(Number(port), '127.0.0.1');
      socket.write(`${head}\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`);
      const idle = connect(Number(port), '127.0.0.1');
      idle.write(
        `GET /api/v1/path/default-domain HTTP/1.1\r\nHost: h\r\nAuthorization: ${authorization}\r\n\r\n`,
      );
      await once(idle, 'data'); // by now the other request is pending
      const closed = read(idle);
      child.kill(signal);
      await refused(Number(port));
      await closed; // before the end of the wait for the running request, which would cut off both
      socket.write(body.slice(10));
      expect(await read(socket)).toMatch(/^HTTP\/1\.1 201 /);
      expect(await ended).toEqual({ code: 0, signal: null });
    },
  );

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

  test('exits within ten seconds even with an unfinished request', async () => {
    await using server = await serve(settings);
    const { url, child, ended } = server;
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write('POST /api/v1/path/ HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\n{');
    await ask(url, '/api/v1/path/default-domain');
    const start = performance.now();
    child.kill('SIGTERM');
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(performance.now() - start).toBeLessThan(20_000);
    socket.destroy();
  });

  test('exits at once on a second signal', async () => {
    await using server = await serve(settings);
    const { url, child, ended, printed } = server;
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write('POST /api/v1/path/ HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\n{');
    await ask(url, '/api/v1/path/default-domain');
    child.kill('SIGTERM');
    while (!printed.out.includes('stopping')) await once(child.stdout ?? child, 'data');
    child.kill('SIGTERM');
    expect(await ended).toEqual({ code: 1, signal: null });
    socket.destroy();
  });

  test('leaves a file that it converts to the next process, and does not hold the file against it', async () => {
    const begun = newFolder();
    const office = await programs({ soffice: `[ -e ${begun} ] && exit 3; touch ${begun}; sleep 300 & wait` });
    const own = await processSettings();
    try {
      const convertible = { ...own.settings, CONVERTER_FOLDERS: office };
      const content = { content: 'x', 'mime-type': 'application/msword' };
      const body = JSON.stringify({
        'entity-type': 'document',
        type: 'File',
        name: 'f',
        properties: { 'file:content': content },
      });
      await using server = await serve(convertible);
      expect((await ask(server.url, '/api/v1/path/', { method: 'POST', body })).status).toBe(201);
      await until(() => existsSync(begun));
      server.child.kill('SIGTERM');
      expect(await server.ended).toEqual({ code: 0, signal: null });
      expect(server.printed.out).not.toContain('cut off');
      await using next = await serve(convertible);
      await until(() => next.printed.out.includes('a file cannot be converted'));
      const jobs = await ask(next.url, '/api/v1/management/jobs?kind=index-file');
      expect(await jobs.json()).toMatchObject({ entries: [] });
    } finally {
      await own[Symbol.asyncDispose]();
    }
  });

  test('keeps documents and blobs after a restart', async () => {
    const properties = { 'dc:title': 'Kept', 'file:content': { content: 'kept too' } };
    const body = JSON.stringify({ 'entity-type': 'document', type: 'File', name: 'kept', properties });
    await using first = await serve({ ...settings, DRAIN_SECONDS: '1' });
    expect((await ask(first.url, '/api/v1/path/', { method: 'POST', body })).status).toBe(201);
    first.child.kill('SIGTERM');
    expect(await first.ended).toEqual({ code: 0, signal: null });
    await using second = await serve(settings);
    const kept = await ask(second.url, '/api/v1/path/kept');
    expect(await kept.json()).toMatchObject({ title: 'Kept', path: '/kept' });
    expect(await (await ask(second.url, '/api/v1/path/kept/@blob')).text()).toBe('kept too');
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
