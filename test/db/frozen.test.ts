import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { connectionWait, createDatabase, type Database } from '../../src/db/database.ts';
import { translate } from '../../src/db/errors.ts';
import { connectServer } from '../../src/db/server.ts';
import { Unavailable } from '../../src/errors.ts';
import { isOnServer } from '../support/database.ts';
import { until } from '../support/until.ts';

const quick = { name: 'quick', text: 'SELECT 1 AS one', isQuick: true } as const;

/** A way to the server that can fall silent: connections stay, and nothing comes through. */
let way: Server;
let database: Database;
const sockets = new Set<Socket>();

function urlOfWay(): string {
  const url = new URL(process.env.TEST_DATABASE_URL ?? '');
  url.hostname = '127.0.0.1';
  url.port = String((way.address() as AddressInfo).port);
  return url.href;
}

beforeAll(async () => {
  if (!isOnServer) return;
  const url = new URL(process.env.TEST_DATABASE_URL ?? '');
  const there = { host: url.hostname, port: Number(url.port || 5432) };
  way = createServer((here) => {
    const on = connect(there);
    for (const socket of [here, on]) sockets.add(socket.on('error', () => {}));
    here.pipe(on).pipe(here);
  }).listen(0, '127.0.0.1');
  await once(way, 'listening');
  database = createDatabase(connectServer(urlOfWay(), 300));
});
afterAll(async () => {
  if (!isOnServer) return;
  for (const socket of sockets) socket.destroy(); // those that are silent would never be done
  await database.close();
  way.close();
  await once(way, 'close');
});

// Embedded, there is no way between.
(isOnServer ? describe : describe.skip)('§8 A database that falls silent', () => {
  test('is unavailable to quick reads and new transactions after a while, and is asked on another connection then', async () => {
    expect(await database.query(quick, [])).toEqual([{ one: 1 }]);
    expect(await database.query(quick, [])).toEqual([{ one: 1 }]); // on the other one of two connections
    await database.transaction(300, async (db) => db.query(quick, []));
    for (const socket of sockets) socket.unpipe();
    const began = performance.now();
    const asked = [1, 2, 3, 4].map(() => database.query(quick, []).catch(translate));
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
    const hasty = createDatabase(connectServer(urlOfWay(), 1));
    const slow = { name: 'slow', text: 'SELECT 2 AS two' } as const;
    const reads = [() => hasty.query(slow, []), () => hasty.prisma.$queryRawUnsafe('SELECT 2 AS two')];
    for (const read of reads) {
      expect(await read()).toEqual([{ two: 2 }]);
      for (const socket of sockets) socket.unpipe();
      expect(await read().catch(translate)).toBeInstanceOf(Unavailable);
      expect(await read()).toEqual([{ two: 2 }]);
    }
    await hasty.close();
  });
});
