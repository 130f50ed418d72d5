import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { deny, setAcl } from '../../support/acls.ts';
import { authorization } from '../../support/administrator.ts';
import { atId, createDocument, type DocumentEntity } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { as, createUser } from '../../support/users.ts';
import { beginUpload, send } from './upload-requests.ts';

const server = useServer({ UPLOAD_QUOTA: '2000' });

const size = 1200;
let written = 0;

/** Bytes that no other test has sent; a body with two of them is above the quota. */
const bytes = (): Buffer => {
  written += 1;
  return Buffer.alloc(size, `${written} `);
};

let user: string;
let request: ReturnType<typeof as>;
let hidden: DocumentEntity;
beforeEach(async () => {
  written += 1;
  user = `user-${written}`;
  await createUser(server, user);
  request = as(server, user);
  hidden = await createDocument(server);
  await setAcl(server, hidden.path, [deny(user, 'Everything')]);
});

const putBlob = (to: Pick<DocumentEntity, 'uid'>, by = request) =>
  by.put(`${atId(to.uid)}/@blob`).attach('file', bytes(), 'a.bin');

const attach = (to: Pick<DocumentEntity, 'uid'>) =>
  request
    .post('/api/v1/automation/Blob.AttachOnDocument')
    .field('params', JSON.stringify({ params: { document: to.uid } }))
    .attach('input', bytes(), 'a.bin');

describe('§4.7 what refused requests have sent', () => {
  test('counts for UPLOAD_QUOTA, whichever address they were sent to', async () => {
    await putBlob(hidden).expect(403);
    const { body } = await putBlob(hidden).expect(413);
    expect(body.message).toMatch(/must not exceed 2000 bytes \(UPLOAD_QUOTA\)/);
    await attach(hidden).expect(413);
    await send(request, await beginUpload(request), 0, { content: bytes() }).expect(413);
    await send(request, await beginUpload(request), 0, { content: 'short' }).expect(201);
    await request.get('/api/v1/me').expect(200);
  });

  test('of operations too', async () => {
    await attach(hidden).expect(403);
    await attach(hidden).expect(413);
  });

  test('of uploads without a batch too, which an Idempotency-Key lets in', async () => {
    const nowhere = `batchId-${crypto.randomUUID()}`;
    const sent = () => send(request, nowhere, 0, { content: bytes() }).set('Idempotency-Key', 'any');
    await sent().expect(404);
    await sent().expect(413);
  });

  test('is that of one user, and what was accepted does not count', async () => {
    await putBlob(hidden).expect(403);
    const document = await createDocument(server);
    for (const _ of [1, 2, 3]) await putBlob(document, server.request).expect(200);
  });

  test('is refused before it is read, and nothing counts that was not stored', async () => {
    const send = () =>
      request
        .put(`${atId(hidden.uid)}/@blob`)
        .attach('file', Buffer.alloc(3000), 'a.bin')
        .expect(413);
    for (const _ of [1, 2]) await send();
    await putBlob(hidden).expect(403);
  });

  test('a body counts while it is under way', async () => {
    const document = await createDocument(server);
    const port = await server.listen();
    const open = httpRequest({
      host: '127.0.0.1',
      port,
      path: `${atId(document.uid)}/@blob`,
      method: 'PUT',
      headers: {
        Authorization: authorization,
        'Content-Type': 'multipart/form-data; boundary=b',
        'Content-Length': '1500',
      },
    });
    open.on('error', () => {}); // it is broken off
    const arrived = once(server.http, 'request'); // otherwise a blob that comes first would have it refused
    open.flushHeaders();
    await arrived;
    await until(async () => (await putBlob(document, server.request)).status === 413);
    open.destroy();
    await until(async () => (await putBlob(document, server.request)).status === 200);
  });
});
