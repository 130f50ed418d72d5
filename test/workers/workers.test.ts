/** @group slow, long */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '../../src/embedded/free-port.ts';
import { type RunningServer, run, serve, useProcessSettings } from '../db/processes.ts';
import { authorization } from '../support/administrator.ts';
import { basicHeader } from '../support/authentication.ts';
import { until } from '../support/until.ts';

const settings = useProcessSettings();

let server: RunningServer;
beforeAll(async () => {
  server = await serve({ ...settings, WORKERS: '2', LOGIN_FAILURES: '3', DRAIN_SECONDS: '1' });
});
afterAll(async () => server[Symbol.asyncDispose]());

/** On a connection of its own: each connection belongs to one worker. */
const get = (path: string, credentials = authorization, { url } = server): Promise<Response> =>
  fetch(`${url}${path}`, { headers: { authorization: credentials, connection: 'close' } });

/** The processes that logged requests since a position in the output. */
function workers(from: number, { printed } = server): Set<number> {
  const lines = printed.out
    .slice(from)
    .split('\n')
    .filter((line) => line.includes('"req":{'));
  return new Set(lines.map((line) => Number(/"pid":(\d+)/.exec(line)?.[1])));
}

/** Asks until so many processes have answered that are none of some others. */
async function answering(
  count: number,
  others: ReadonlySet<number> = new Set(),
  asked = server,
): Promise<Set<number>> {
  const from = asked.printed.out.length;
  const found = () => new Set([...workers(from, asked)].filter((pid) => !others.has(pid)));
  await until(async () => {
    const path = '/api/v1/path/default-domain';
    await get(path, authorization, asked).catch(() => {}); // cut off by the death of its worker
    return found().size >= count;
  });
  return found();
}

describe('WORKERS=2', () => {
  test('two processes serve one port, and the process that started them does not', async () => {
    const serving = await answering(2);
    expect(serving.size).toBe(2);
    expect(serving).not.toContain(server.child.pid);
    expect(server.printed.out.match(/Quire serves/g)).toHaveLength(1);
  });

  (process.platform === 'linux' ? test : test.skip)('share the space for young objects', async () => {
    for (const pid of await answering(2))
      expect((await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0')).toContain(
        '--max-semi-space-size=32',
      );
  });

  test('/metrics adds up what both have counted, and counts jobs once', async () => {
    await get('/api/v1/config/types').then((response) => expect(response.status).toBe(200));
    await answering(2);
    const counted = /^http_request_duration_seconds_count\{.*route="\/path\{\/\*path\}".*\} (\d+)$/m;
    const lines = () =>
      server.printed.out
        .split('\n')
        .filter((line) => line.includes('/path/default-domain"') && line.includes('"req":{'));
    let [text, all, logged] = ['', Number.NaN, 0];
    // The last lines may be on their way, and the last counts as well.
    const agree = async () => {
      text = await (await get('/metrics')).text();
      [all, logged] = [Number(counted.exec(text)?.[1]), lines().length];
      return all === logged;
    };
    await until(agree).catch(() => {});
    expect(all).toBe(logged);
    expect(text).toMatch(/^jobs\{kind="sweep-blobs",state="\w+"\} 1$/m);
  });

  test('§5 failed log-ins count for both', async () => {
    const [wrong, right] = ['wrong', 'right'].map((password) => basicHeader('somebody', password));
    for (let index = 0; index < 3; index += 1) await get('/api/v1/path/', wrong);
    await until(async () => {
      const answers = await Promise.all(Array.from({ length: 4 }, () => get('/api/v1/path/', right)));
      return answers.every(({ status }) => status === 429);
    });
  });

  test('SIGUSR2 replaces both without a failed request', async () => {
    const before = await answering(2);
    let isDone = false;
    let count = 0;
    // Connections are kept: a client that reuses one must not find it closed.
    const asking = Array.from({ length: 4 }, async () => {
      while (!isDone) {
        const response = await fetch(`${server.url}/api/v1/path/default-domain`, {
          headers: { authorization },
        });
        expect(response.status).toBe(200);
        await response.arrayBuffer();
        count += 1;
        await wait(10); // or four clients would keep the machine from starting processes
      }
    });
    const replaced = () => server.printed.out.match(/A worker was replaced/g)?.length === 2;
    server.child.kill('SIGUSR2');
    await until(replaced, 110_000).finally(() => {
      isDone = true;
    });
    await Promise.all(asking);
    expect(count).toBeGreaterThan(0);
    const after = await answering(2);
    for (const pid of after) expect(before).not.toContain(pid);
  });

  test('another process takes the place of one that is killed', async () => {
    const before = await answering(2);
    const [killed = 0] = before;
    process.kill(killed, 'SIGKILL');
    await until(() => server.printed.out.includes('exited unexpectedly and is being replaced'));
    expect((await answering(1, before)).size).toBe(1);
  });

  test('all end on SIGTERM, with 0', async () => {
    const serving = await answering(2);
    server.child.kill('SIGTERM');
    expect(await server.ended).toEqual({ code: 0, signal: null });
    for (const pid of serving) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });
});

describe('the workers', () => {
  test('end when the process that started them is killed', async () => {
    await using other = await serve({ ...settings, WORKERS: '2' });
    await fetch(`${other.url}/api/v1/path/`, { headers: { authorization } });
    await until(() => other.printed.out.includes('"req":{'));
    const worker = Number(/"pid":(\d+)[^\n]*"req":\{/.exec(other.printed.out)?.[1]);
    other.child.kill('SIGKILL');
    await other.ended;
    await until(() => {
      try {
        return !process.kill(worker, 0);
      } catch {
        return true;
      }
    });
    await expect(fetch(`${other.url}/health/live`)).rejects.toThrow('fetch failed');
  });

  (process.platform === 'linux' ? test : test.skip)(
    'are two again when both die while SIGUSR2 replaces them',
    async () => {
      // Of any port another one is chosen once all that listen have died.
      await using other = await serve({ ...settings, WORKERS: '2', PORT: String(await freePort()) });
      const { pid } = other.child;
      const count = async () =>
        (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ').length;
      const before = await answering(2, new Set(), other);
      other.child.kill('SIGUSR2');
      await until(async () => (await count()) > 2);
      for (const worker of before) process.kill(worker, 'SIGKILL');
      await until(() => other.printed.out.includes('A worker was replaced'), 110_000);
      expect((await answering(2, before, other)).size).toBe(2);
      expect(await count()).toBe(2);
    },
  );

  test('end in order while some of them are starting', async () => {
    await using other = await serve({ ...settings, WORKERS: '3' });
    other.child.kill('SIGUSR2');
    expect((await fetch(`${other.url}/health/live`)).status).toBe(200);
    other.child.kill('SIGTERM');
    expect(await other.ended).toEqual({ code: 0, signal: null });
    expect(other.printed.out).not.toContain('"level":50');
  });

  test('cannot start at a port in use, which is said once', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const { ended, printed } = run('src/serve.ts', { ...settings, WORKERS: '2', PORT: String(port) });
    expect((await ended).code).toBe(1);
    expect(printed.err.match(/is in use/g)).toHaveLength(1);
    taken.close();
  });
});
