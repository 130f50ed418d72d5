import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { connectionWait, createDatabase, type Database } from '../../src/db/database.ts';
import { translate } from '../../src/db/errors.ts';
import { connectServer } from '../../src/db/server.ts';
import { Unavailable } from '../../src/errors.ts';
import { isOnServer } from '../support/database.ts';
import { until } from '../support/until.ts';
import { openWay, type Way } from '../support/way.ts';
import { ask, kill, serve, stockedSettings } from './processes.ts';

const quick = { name: 'quick', text: 'SELECT 1 AS one', isQuick: true } as const;

let way: Way;
let database: Database;

beforeAll(async () => {
  if (!isOnServer) return;
  way = await openWay(process.env.TEST_DATABASE_URL ?? '');
  database = createDatabase(connectServer(way.url, 300));
});
afterAll(async () => {
  if (!isOnServer) return;
  await database.close();
  await way.close();
});

// Embedded, there is no way between.
(isOnServer ? describe : describe.skip)('§8 A database that falls silent', () => {
  test('is unavailable to quick reads and new transactions after a while, and is asked on another connection then', async () => {
    expect(await database.query(quick, [])).toEqual([{ one: 1 }]);
    expect(await database.query(quick, [])).toEqual([{ one: 1 }]); // on the other one of two connections
    await database.transaction(300, async (db) => db.query(quick, []));
    way.silence();
    const began = performance.now();
    const asked: Array<Promise<unknown>> = [];
    for (let turn = 0; turn < 4; turn += 1) {
      asked.push(database.query(quick, []).catch(translate));
      await nextTurn(); // what one turn asks goes over one connection
    }
    asked.push(database.transaction(300, async () => []).catch(translate));
    for (const error of await Promise.all(asked)) expect(error).toBeInstanceOf(Unavailable);
    expect(performance.now() - began).toBeGreaterThan(connectionWait - 100);
    expect(performance.now() - began).toBeLessThan(connectionWait + 5_000);
    const answers = () => database.query(quick, []).then(Boolean, () => false);
    await until(answers); // as soon as the connections that were silent are gone
    expect([await answers(), await answers()]).toEqual([true, true]);
    expect(await database.transaction(300, async (db) => db.query(quick, []))).toEqual([{ one: 1 }]);
  });

  test('is waited for by other reads for the time that a statement may take, and ten seconds', async () => {
    const hasty = createDatabase(connectServer(way.url, 1));
    const slow = { name: 'slow', text: 'SELECT 2 AS two' } as const;
    const reads = [() => hasty.query(slow, []), () => hasty.prisma.$queryRawUnsafe('SELECT 2 AS two')];
    for (const read of reads) {
      expect(await read()).toEqual([{ two: 2 }]);
      way.silence();
      expect(await read().catch(translate)).toBeInstanceOf(Unavailable);
      expect(await read()).toEqual([{ two: 2 }]);
    }
    await hasty.close();
  });

  test('is closed nevertheless, and soon', async () => {
    const doomed = createDatabase(connectServer(way.url, 300));
    const slow = { name: 'slow', text: 'SELECT 2 AS two' } as const;
    doomed.announcements.on('principals', () => {});
    await until(doomed.announcements.areHeard);
    await Promise.all([doomed.query(quick, []), doomed.query(quick, []), doomed.query(slow, [])]);
    way.silence();
    const asked = [quick, slow].map((query) => doomed.query(query, []).catch(translate));
    asked.push(doomed.transaction(300, async (db) => db.query(slow, [])).catch(translate));
    const began = performance.now();
    await doomed.close();
    expect(performance.now() - began).toBeLessThan(5_000);
    for (const error of await Promise.all(asked)) expect(error).toBeInstanceOf(Unavailable);
  });
});

// As a process, whole.
(isOnServer ? describe : describe.skip)('§8 A server whose database falls silent', () => {
  const patience = 90_000;

  /** Starts a server, has its database fall silent, and does something before it is told to end; answers how long it takes. */
  async function stopAfter(work: (url: string) => Promise<void>): Promise<number> {
    const folder = await mkdtemp(join(tmpdir(), 'quire-frozen-'));
    const { settings, drop } = await stockedSettings(folder);
    const through = await openWay(settings.DATABASE_URL ?? '');
    const server = await serve({ DATA_DIR: folder, ...settings, DATABASE_URL: through.url });
    try {
      for (const path of ['path/default-domain', 'path/default-domain/@children'])
        expect((await ask(server.url, `/api/v1/${path}`)).status).toBe(200);
      await wait(2_000); // until the log-in is written
      through.silence();
      await work(server.url);
      const began = performance.now();
      server.child.kill('SIGTERM');
      expect(await server.ended).toEqual({ code: 0, signal: null });
      return performance.now() - began;
    } finally {
      await kill(server);
      await through.close();
      await drop();
      await rm(folder, { recursive: true, force: true });
    }
  }

  test(
    'ends soon when it is told to, with 0, while nobody asks for anything',
    async () => {
      expect(await stopAfter(async () => {})).toBeLessThan(5_000);
    },
    patience,
  );

  test(
    'ends within ten seconds, with 0, while requests and what is to be written wait for it',
    async () => {
      const time = await stopAfter(async (url) => {
        const body = JSON.stringify({ 'entity-type': 'document', type: 'Folder', name: 'never' });
        const requests = [
          ask(url, '/api/v1/path/default-domain'),
          ask(url, '/api/v1/path/default-domain/@children'),
          ask(url, '/api/v1/path/', { method: 'POST', body }),
          fetch(`${url}/api/v1/path/`, { headers: { Authorization: 'Basic bm9ib2R5Om5vYm9keQ==' } }),
        ];
        for (const request of requests) request.catch(() => {}); // cut off
        await wait(1_000);
      });
      expect(time).toBeLessThan(10_000);
    },
    patience,
  );
});
