import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { ask } from '../../db/processes.ts';
import { type Impatient, patience, soon, startImpatient } from './impatient.ts';
import { file, head, open, sip, statusesIn, trickle } from './sockets.ts';

let server: Impatient;
let url: string;
let port: number;
beforeAll(async () => {
  server = await startImpatient();
  ({ url, port } = server);
}, patience);
afterAll(() => server.stop(), patience);
afterEach(() => server.expectWell());

/** A document with a blob that no socket buffers as a whole. */
async function large(name: string): Promise<number> {
  const content = 'a line of some length that is said again and again\n'.repeat(180_000);
  const body = file(name, { 'file:content': { content } });
  expect((await ask(url, '/api/v1/path/', { method: 'POST', body })).status).toBe(201);
  return Buffer.byteLength(content);
}

describe('A client that is slow', () => {
  test(
    'never sends anything: closed',
    async () => {
      const line = await open(port);
      expect(await line.closed).toBeLessThan(soon);
    },
    patience,
  );

  test(
    'sends its headers byte by byte: 408, closed',
    async () => {
      const line = await open(port);
      await trickle(line, head('GET', '/path/').repeat(10), 50);
      expect(await line.closed).toBeLessThan(soon);
      expect(statusesIn(line.received())).toEqual([408]);
    },
    patience,
  );

  test(
    'sends half a body and no more: closed, and nothing is written',
    async () => {
      const body = file('half');
      const line = await open(port, head('POST', '/path/', body.length), body.slice(0, 20));
      expect(await line.closed).toBeLessThan(soon);
      expect((await ask(url, '/api/v1/path/half')).status).toBe(404);
    },
    patience,
  );

  test(
    'sends a body byte by byte: 408, closed',
    async () => {
      const body = file('x'.repeat(1_000));
      const line = await open(port, head('POST', '/path/', body.length));
      await trickle(line, body, 50);
      expect(await line.closed).toBeLessThan(soon);
      expect(statusesIn(line.received())).toEqual([408]);
    },
    patience,
  );

  test(
    'keeps a connection without using it: closed',
    async () => {
      const line = await open(port, head('GET', '/path/'));
      expect(await line.closed).toBeLessThan(soon);
      expect(statusesIn(line.received())).toEqual([200]);
    },
    patience,
  );

  test(
    'does not read what it asked for: cut off',
    async () => {
      const length = await large('unread');
      const line = await open(port);
      line.socket.pause();
      for (let count = 0; count < 4; count += 1) line.socket.write(head('GET', '/path/unread/@blob'));
      await wait(6_000);
      line.socket.resume();
      await line.closed;
      expect(line.received().length).toBeLessThan(4 * length);
    },
    patience,
  );

  test(
    'reads slowly, but reads: gets everything',
    async () => {
      const length = await large('read');
      const request = head('GET', '/path/read/@blob').replace('Host: h', 'Host: h\r\nConnection: close');
      const start = performance.now();
      expect(await sip(port, request, 30)).toBeGreaterThan(length);
      expect(performance.now() - start).toBeGreaterThan(1_000); // longer than a client may be silent
    },
    patience,
  );

  test(
    'waits for us: we take the time that we need',
    async () => {
      // Every blob is brought to the disk, one by one: longer than a client may be silent.
      const files = Array.from({ length: 2_000 }, (_, index) => ({ file: { content: `content ${index}` } }));
      const body = file('many', { 'files:files': files });
      const line = await open(port, head('POST', '/path/', body.length), body);
      expect(await line.closed).toBeLessThan(60_000);
      expect(statusesIn(line.received())).toEqual([201]);
    },
    patience,
  );
});

describe('A client that is many', () => {
  test(
    'five hundred connections that say nothing keep nobody from being served',
    async () => {
      const lines = await Promise.all(Array.from({ length: 500 }, () => open(port)));
      expect((await ask(url, '/api/v1/path/')).status).toBe(200);
      for (const line of lines) expect(await line.closed).toBeLessThan(soon);
    },
    patience,
  );
});
