/** @group slow */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { connectionTimeout } from '../../src/db/database.ts';
import { createDocument } from '../support/documents.ts';
import { useServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { useUser } from '../support/users.ts';

const connections = 2;

/** The number of writes that can run or wait at a time: ten for each connection. */
const maxWrites = 20;

const server = useServer({ DATABASE_CONNECTIONS: String(connections) });
const ann = useUser(server, 'ann', ['administrators']);

/** A promise and the function that resolves it. */
function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Holds every connection of the pool in a transaction while some work runs. */
async function whileExhausted(work: () => Promise<void>): Promise<void> {
  const end = gate();
  const holders = Array.from({ length: connections }, () => {
    const begin = gate();
    const ended = server.database.transaction(60, async ({ prisma }) => {
      await prisma.$queryRawUnsafe('SELECT 1');
      begin.open();
      await end.opened;
    });
    return { begun: begin.opened, ended };
  });
  await Promise.all(holders.map(({ begun }) => begun));
  try {
    await work();
  } finally {
    end.open();
    await Promise.all(holders.map(({ ended }) => ended));
  }
}

describe('§8 A pool without a free connection', () => {
  test('a request that waits too long for it is answered 503 with Retry-After, without a write', async () => {
    const document = await createDocument(server);
    const address = `/api/v1/id/${document.uid}`;
    const change = { 'entity-type': 'document', properties: { 'dc:title': 'never' } };
    await whileExhausted(async () => {
      const began = performance.now();
      const answers = await Promise.all([
        server.request.put(address).send(change),
        server.request.delete(address),
        server.request.get('/api/v1/path/default-domain/@children'),
        server.anonymous.get('/site/userInvitation/enterpassword').query({ token: 'x' }),
      ]);
      const waited = performance.now() - began;
      expect(waited).toBeGreaterThan(connectionTimeout - 100);
      expect(waited).toBeLessThan(connectionTimeout + 15_000);
      for (const { status, headers, body } of answers) {
        expect(status).toBe(503);
        expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
        expect(body).toMatchObject({ 'entity-type': 'exception', status: 503 });
        expect(body.message).toBe('The database is not responding. Try again soon.');
      }
      await server.anonymous.get('/health/ready').expect(503);
    });
    const { body } = await server.request.get(address).expect(200);
    expect(body).toMatchObject({ title: document.title, changeToken: document.changeToken });
  });

  test('a request waits for it and succeeds once a connection is free', async () => {
    const document = await createDocument(server);
    let answer: Promise<number> | undefined;
    await whileExhausted(async () => {
      answer = server.request.delete(`/api/v1/id/${document.uid}`).then(({ status }) => status);
      await wait(500);
    });
    expect(await answer).toBe(204);
    await server.request.get(`/api/v1/id/${document.uid}`).expect(404);
  });

  test('20 writes of two users wait for it, the next is answered 503 after two seconds, and reads go on', async () => {
    const document = await createDocument(server);
    const address = `/api/v1/id/${document.uid}`;
    const create = (name: string, who: typeof ann) =>
      who
        .post('/api/v1/path/default-domain/workspaces')
        .send({ 'entity-type': 'document', type: 'Folder', name });
    const waiting: Array<Promise<number>> = [];
    let received = 0;
    const receive = () => {
      received += 1;
    };
    await whileExhausted(async () => {
      subscribe('http.server.request.start', receive);
      for (let index = 0; index < maxWrites; index += 1)
        waiting.push(create(`waits-${index}`, index % 2 ? ann : server.request).then(({ status }) => status));
      await until(() => received === maxWrites).finally(() =>
        unsubscribe('http.server.request.start', receive),
      );
      const began = performance.now();
      const { headers, body } = await server.request.delete(address).expect(503);
      expect(performance.now() - began).toBeGreaterThan(1_900);
      expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
      expect(body).toMatchObject({
        'entity-type': 'exception',
        status: 503,
        message: 'The server is overloaded. Try again soon.',
        requestId: headers['x-request-id'],
      });
      await server.request.get(address).expect(200);
    });
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => 201));
    const { text } = await server.request.get('/metrics').expect(200);
    expect(text).toContain('http_requests_refused_total 1');
    expect(text).toContain('http_request_wait_seconds_bucket{le="1"} 0');
    expect(text).toContain('http_request_wait_seconds_count 1');
  });

  test('quick reads have connections of their own', async () => {
    const document = await createDocument(server);
    await whileExhausted(async () => {
      await server.request.get(`/api/v1/id/${document.uid}`).expect(200);
    });
  });

  test('all connections are usable afterwards', async () => {
    const created = await Promise.all(Array.from({ length: 8 }, () => createDocument(server)));
    expect(new Set(created.map(({ uid }) => uid)).size).toBe(8);
  });
});
