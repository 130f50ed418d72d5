/** @group slow */
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { ask } from '../../db/processes.ts';
import { use } from '../../support/use.ts';
import { soon, startImpatient } from './impatient.ts';
import { file, head, open, sip, statusesIn, trickle } from './sockets.ts';

const server = use(startImpatient);
let url: string;
let port: number;
beforeAll(() => {
  ({ url, port } = server);
});
afterEach(() => server.expectWell());

/** Creates a document with a blob that is larger than all socket buffers. */
async function large(name: string): Promise<number> {
  const content = 'a line of some length that is said again and again\n'.repeat(180_000);
  const body = file(name, { 'file:content': { content } });
  expect((await ask(url, '/api/v1/path/', { method: 'POST', body })).status).toBe(201);
  return Buffer.byteLength(content);
}

describe('a slow client', () => {
  test('that sends nothing is disconnected', async () => {
    const line = await open(port);
    expect(await line.closed).toBeLessThan(soon);
  });

  test('that sends its headers byte by byte gets 408 and is disconnected', async () => {
    const line = await open(port);
    await trickle(line, head('GET', '/path/').repeat(10), 50);
    expect(await line.closed).toBeLessThan(soon);
    expect(statusesIn(line.received())).toEqual([408]);
  });

  test('that sends half a body is disconnected, and nothing is written', async () => {
    const body = file('half');
    const line = await open(port, head('POST', '/path/', body.length), body.slice(0, 20));
    expect(await line.closed).toBeLessThan(soon);
    expect((await ask(url, '/api/v1/path/half')).status).toBe(404);
  });

  test('that sends a body byte by byte gets 408 and is disconnected', async () => {
    const body = file('x'.repeat(1_000));
    const line = await open(port, head('POST', '/path/', body.length));
    await trickle(line, body, 50);
    expect(await line.closed).toBeLessThan(soon);
    expect(statusesIn(line.received())).toEqual([408]);
  });

  test('that keeps an idle connection is disconnected', async () => {
    const line = await open(port, head('GET', '/path/'));
    expect(await line.closed).toBeLessThan(soon);
    expect(statusesIn(line.received())).toEqual([200]);
  });

  test('that does not read the answer is disconnected', async () => {
    const length = await large('unread');
    const line = await open(port);
    line.socket.pause();
    for (let count = 0; count < 4; count += 1) line.socket.write(head('GET', '/path/unread/@blob'));
    await wait(6_000);
    line.socket.resume();
    await line.closed;
    expect(line.received().length).toBeLessThan(4 * length);
  });

  test('that reads slowly gets the whole answer', async () => {
    const length = await large('read');
    const request = head('GET', '/path/read/@blob').replace('Host: h', 'Host: h\r\nConnection: close');
    const start = performance.now();
    expect(await sip(port, request, 30)).toBeGreaterThan(length);
    expect(performance.now() - start).toBeGreaterThan(1_000); // longer than a client may be silent
  });

  test('that waits for a long request gets its answer', async () => {
    const holder = new pg.Client({ connectionString: server.databaseUrl });
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE document');
    const body = file('long');
    const line = await open(port, head('POST', '/path/', body.length), body);
    await wait(3_000); // longer than a client may be silent
    expect(line.received().length).toBe(0);
    await holder.end();
    expect(await line.closed).toBeLessThan(60_000);
    expect(statusesIn(line.received())).toEqual([201]);
  });
});

describe('many clients', () => {
  test('with five hundred silent connections do not block others', async () => {
    const lines = await Promise.all(Array.from({ length: 500 }, () => open(port)));
    expect((await ask(url, '/api/v1/path/')).status).toBe(200);
    for (const line of lines) expect(await line.closed).toBeLessThan(soon);
  });
});
