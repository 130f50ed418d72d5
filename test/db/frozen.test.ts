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
  url.hostname = '127.0.0.1';
  url.port = String((way.address() as AddressInfo).port);
  database = createDatabase(connectServer(url.href, 300));
});
afterAll(async () => {
  if (!isOnServer) return;
  await database.close();
  for (const socket of sockets) socket.destroy();
  way.close();
  await once(way, 'close');
});

// Embedded, there is no way between.
(isOnServer ? describe : describe.skip)('§8 A database that falls silent', () => {
  test('is unavailable to quick reads after a while, and is asked on another connection then', async () => {
    expect(await database.query(quick, [])).toEqual([{ one: 1 }]);
    expect(await database.query(quick, [])).toEqual([{ one: 1 }]);
    for (const socket of sockets) socket.unpipe();
    const began = performance.now();
    const asked = [1, 2, 3, 4].map(() => database.query(quick, []).catch(translate));
    for (const error of await Promise.all(asked)) expect(error).toBeInstanceOf(Unavailable);
    expect(performance.now() - began).toBeGreaterThan(connectionWait - 100);
    expect(performance.now() - began).toBeLessThan(connectionWait + 5_000);
    const answers = () => database.query(quick, []).then(Boolean, () => false);
    await until(answers); // as soon as the connections that were silent are gone
    expect([await answers(), await answers()]).toEqual([true, true]);
  });
});
