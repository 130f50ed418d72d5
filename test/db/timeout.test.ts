import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { isOnServer } from '../support/database.ts';
import { createDocument, type DocumentEntity } from '../support/factories.ts';
import { start, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await start();
});
afterAll(() => server.stop());

/** Holds a document's row in a transaction of its own while some work is done. */
async function whileHeld<T>({ uid }: DocumentEntity, work: () => Promise<T>): Promise<T> {
  return server.database.transaction(20, async ({ prisma }) => {
    await prisma.$queryRawUnsafe('SELECT id FROM document WHERE id = $1::uuid FOR UPDATE', uid);
    return work();
  });
}

// Embedded there is one connection: who waits for it has not begun, and nothing else can hold a row meanwhile.
(isOnServer ? describe : describe.skip)('§8 A call that lasts longer than Svc-Transaction-Timeout', () => {
  const change = { 'entity-type': 'document', properties: { 'dc:title': 'never' } };

  test.each([
    ['PUT', ({ uid }: DocumentEntity) => server.request.put(`/api/v1/id/${uid}`).send(change)],
    ['DELETE', ({ uid }: DocumentEntity) => server.request.delete(`/api/v1/id/${uid}`)],
    [
      'POST below it',
      ({ uid }: DocumentEntity) =>
        server.request.post(`/api/v1/id/${uid}`).send({
          'entity-type': 'document',
          type: 'File',
          name: 'never',
          properties: { 'file:content': { content: 'x' } },
        }),
    ],
  ])('%s is rolled back: 503 with Retry-After, and nothing is written', async (_, call) => {
    const folder = await createDocument(server, { type: 'Folder' });
    const began = performance.now();
    const response = await whileHeld(folder, async () => call(folder).set('Svc-Transaction-Timeout', '1'));
    expect(performance.now() - began).toBeLessThan(20_000);
    expect(response.status).toBe(503);
    expect(response.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect(response.body).toMatchObject({ 'entity-type': 'exception', status: 503 });
    expect(response.body.message).toMatch(/took longer than .*rolled back/);
    const { body } = await server.request.get(`/api/v1/id/${folder.uid}`).expect(200);
    expect(body).toMatchObject({ title: folder.title, changeToken: folder.changeToken });
    const { body: below } = await server.request.get(`/api/v1/id/${folder.uid}/@children`).expect(200);
    expect(below.resultsCount).toBe(0);
  });

  test('does not hinder the same call without the wait', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    await server.request
      .put(`/api/v1/id/${folder.uid}`)
      .set('Svc-Transaction-Timeout', '1')
      .send({ 'entity-type': 'document', properties: { 'dc:title': 'written' } })
      .expect(200);
  });

  test('does not concern a read, which waits for nobody', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    await whileHeld(folder, async () =>
      server.request.get(`/api/v1/id/${folder.uid}`).set('Svc-Transaction-Timeout', '1').expect(200),
    );
  });
});

(isOnServer ? describe : describe.skip)('§8 A call without the header', () => {
  test('has TRANSACTION_TIMEOUT seconds', async () => {
    const hasty = await start({ TRANSACTION_TIMEOUT: '1' });
    try {
      const document = await createDocument(hasty);
      const response = await hasty.database.transaction(20, async ({ prisma }) => {
        await prisma.$queryRawUnsafe('SELECT id FROM document WHERE id = $1::uuid FOR UPDATE', document.uid);
        return hasty.request.delete(`/api/v1/id/${document.uid}`);
      });
      expect(response.status).toBe(503);
      await hasty.request.get(`/api/v1/id/${document.uid}`).expect(200);
    } finally {
      await hasty.stop();
    }
  });
});

describe('§8 A call with Svc-Transaction-Timeout that is in time', () => {
  test.each(['1', '86400', '99999999999'])('of %s seconds does what it does', async (seconds) => {
    const document = await createDocument(server);
    await server.request
      .put(`/api/v1/id/${document.uid}`)
      .set('Svc-Transaction-Timeout', seconds)
      .send({ 'entity-type': 'document', properties: { 'dc:title': `in ${seconds} s` } })
      .expect(200);
    await server.request
      .get(`/api/v1/id/${document.uid}`)
      .set('Svc-Transaction-Timeout', seconds)
      .expect(200);
  });
});
