/** @group slow */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { freePort } from '../src/embedded/free-port.ts';
import { ask, kill, printing, processSettings, run, serve } from './db/processes.ts';
import { basicHeader } from './support/authentication.ts';
import { until } from './support/until.ts';

const answerOf = (port: number, path: string): Promise<Response | undefined> =>
  fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined);

describe('a server that starts', () => {
  test('is not ready, says so, and ends in order on SIGTERM', async () => {
    await using own = await processSettings({ isStocked: true });
    const port = await freePort();
    const client = new pg.Client({ connectionString: own.settings.DATABASE_URL });
    await client.connect();
    await client.query('BEGIN; LOCK TABLE job IN SHARE MODE'); // its jobs cannot begin
    const server = run('src/serve.ts', { ...own.settings, PORT: String(port) });
    try {
      await until(async () => (await answerOf(port, '/health/live'))?.status === 200);
      const ready = await answerOf(port, '/health/ready');
      expect(ready?.status).toBe(503);
      expect(await ready?.json()).toMatchObject({ message: 'The server is starting or stopping.' });
      server.child.kill('SIGTERM');
      await printing(server, /The server is stopping\./);
      await client.query('ROLLBACK');
      expect(await server.ended).toEqual({ code: 0, signal: null });
      expect(server.printed.out).not.toContain('Quire serves');
    } finally {
      await kill(server);
      await client.end();
    }
  });
});

test('§2.6 failed log-ins are in the log although jobs do not end in time', async () => {
  await using own = await processSettings({ isStocked: true });
  const port = await freePort();
  const client = new pg.Client({ connectionString: own.settings.DATABASE_URL });
  await client.connect();
  await client.query('BEGIN; LOCK TABLE job IN SHARE MODE'); // its jobs neither begin nor end
  const server = run('src/serve.ts', { ...own.settings, PORT: String(port) });
  try {
    await until(async () => (await answerOf(port, '/health/live'))?.status === 200);
    const authorization = basicHeader('somebody', 'wrong');
    const address = `http://127.0.0.1:${port}/api/v1/path/`;
    expect((await fetch(address, { headers: { authorization } })).status).toBe(401);
    server.child.kill('SIGTERM');
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(server.printed.out).toContain('is aborted');
    const { rows } = await client.query(
      "SELECT principal_name FROM log_entry WHERE event_id = 'loginFailed'",
    );
    expect(rows).toEqual([{ principal_name: 'somebody' }]);
  } finally {
    await kill(server);
    await client.end();
  }
});

describe('SIGUSR2', () => {
  test.each(['1', '2'])('is ignored, in words, while a server with WORKERS=%s starts', async (WORKERS) => {
    const silent = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const DATABASE_URL = `postgres://nobody@127.0.0.1:${port}/nowhere`;
    const server = run('src/serve.ts', { DATABASE_URL, WORKERS, PORT: '0' });
    try {
      await once(silent, 'connection'); // the server waits for its database
      server.child.kill('SIGUSR2');
      await until(() =>
        server.printed.err.includes('SIGUSR2 is ignored, because there are no workers to replace yet'),
      );
      expect(server.child.signalCode).toBe(null);
    } finally {
      await kill(server);
      silent.close();
    }
  });

  test('is ignored, with a warning, by a server that has no workers', async () => {
    await using own = await processSettings();
    await using server = await serve(own.settings);
    server.child.kill('SIGUSR2');
    const [line] = await printing(server, /\{[^\n]*SIGUSR2 is ignored[^\n]*/);
    expect(JSON.parse(line)).toMatchObject({ level: 40 });
    expect((await ask(server.url, '/api/v1/path/default-domain')).status).toBe(200);
  });
});
