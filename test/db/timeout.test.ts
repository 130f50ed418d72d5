/** @group every-database */

import { describe, expect, test } from '@jest/globals';
import { createDocument, type DocumentEntity, updateDocument } from '../support/documents.ts';
import { startServer, useServer } from '../support/server.ts';

const server = useServer();

/** Locks the row of a document in another transaction while the work runs. */
async function whileHeld<T>({ uid }: DocumentEntity, work: () => Promise<T>): Promise<T> {
  return server.database.transaction(20, async ({ prisma }) => {
    await prisma.$queryRawUnsafe('SELECT id FROM document WHERE id = $1::uuid FOR UPDATE', uid);
    return work();
  });
}

describe('§8 A call that exceeds its Svc-Transaction-Timeout', () => {
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
  ])('%s is rolled back and answered 503 with Retry-After', async (_, call) => {
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

  test('the same call succeeds within the limit', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    await updateDocument(server.request, folder.uid, { 'dc:title': 'written' })
      .set('Svc-Transaction-Timeout', '1')
      .expect(200);
  });

  test('a read succeeds, since it waits for no row lock', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    await whileHeld(folder, async () =>
      server.request.get(`/api/v1/id/${folder.uid}`).set('Svc-Transaction-Timeout', '1').expect(200),
    );
  });
});

describe('§8 A call without Svc-Transaction-Timeout', () => {
  test('times out after TRANSACTION_TIMEOUT seconds', async () => {
    await using hasty = await startServer({ TRANSACTION_TIMEOUT: '1' });
    const document = await createDocument(hasty);
    const response = await hasty.database.transaction(20, async ({ prisma }) => {
      await prisma.$queryRawUnsafe('SELECT id FROM document WHERE id = $1::uuid FOR UPDATE', document.uid);
      return hasty.request.delete(`/api/v1/id/${document.uid}`);
    });
    expect(response.status).toBe(503);
    await hasty.request.get(`/api/v1/id/${document.uid}`).expect(200);
  });
});

describe('§8 A call with Svc-Transaction-Timeout that is in time', () => {
  test.each(['1', '86400', '99999999999'])('a limit of %s seconds is accepted', async (seconds) => {
    const document = await createDocument(server);
    await updateDocument(server.request, document.uid, { 'dc:title': `in ${seconds} s` })
      .set('Svc-Transaction-Timeout', seconds)
      .expect(200);
    await server.request
      .get(`/api/v1/id/${document.uid}`)
      .set('Svc-Transaction-Timeout', seconds)
      .expect(200);
  });
});
