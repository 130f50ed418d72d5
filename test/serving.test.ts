import { describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { freePort } from '../src/embedded/free-port.ts';
import { kill, printing, processSettings, run } from './db/processes.ts';
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
    const server = run('src/server.ts', { ...own.settings, PORT: String(port) });
    try {
      await until(async () => (await answerOf(port, '/health/live'))?.status === 200);
      const ready = await answerOf(port, '/health/ready');
      expect(ready?.status).toBe(503);
      expect(await ready?.json()).toMatchObject({ message: 'the server is starting or stopping' });
      server.child.kill('SIGTERM');
      await printing(server, /"stopping"/);
      await client.query('ROLLBACK');
      expect(await server.ended).toEqual({ code: 0, signal: null });
      expect(server.printed.out).not.toContain('Quire serves');
    } finally {
      await kill(server);
      await client.end();
    }
  });
});
