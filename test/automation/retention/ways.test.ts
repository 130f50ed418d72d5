/** @group every-database */
import { describe, expect, test } from '@jest/globals';
import { atId, createDocument, type DocumentEntity, readDocument } from '../../support/documents.ts';
import { call, calling } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';

const server = useServer();
const run = calling(server);

/** A document under a legal hold, alone in a folder. */
async function held(properties: Record<string, unknown> = {}) {
  const folder = await createDocument(server, { type: 'Folder' });
  const document = await createDocument(server, { parent: folder.path, name: 'a.pdf', properties });
  await run('Document.Hold', document.uid).expect(200);
  return { folder, document };
}

const refusal = ({ uid }: DocumentEntity) => ({
  status: 403,
  message: `${uid} is under retention or legal hold`,
});

describe('§3 a document under legal hold stays as it is', () => {
  test('whatever an execution does above it', async () => {
    const { folder, document } = await held();
    const begun = await server.request
      .post('/api/v1/automation/Document.Delete/@async')
      .send({ input: folder.uid })
      .expect(202);
    const { pathname } = new URL(begun.headers.location ?? '');
    await until(async () => (await server.request.get(pathname).redirects(0)).status === 303);
    const { body } = await server.request.get(pathname.replace(/\/status$/, ''));
    expect(body).toMatchObject(refusal(document));
    await readDocument(server.request, document.uid);
  });

  test('when its folder, or a list with another document, is deleted', async () => {
    const { folder, document } = await held();
    const other = await createDocument(server);
    for (const input of [folder.uid, [other.uid, document.uid]])
      expect((await run('Document.Delete', input)).body).toMatchObject(refusal(document));
    await readDocument(server.request, other.uid);
  });

  test('when a file of its name is imported', async () => {
    const { folder, document } = await held({ 'dc:title': 'a.pdf' });
    const { body } = await call(server.request, 'FileManager.Import', {
      context: { currentDocument: folder.path },
      params: { overwrite: true },
      blobs: [{ content: '%PDF-1.7', name: 'a.pdf', type: 'application/pdf' }],
    });
    expect(body).toMatchObject(refusal(document));
  });

  test('while it is in the trash, which is not emptied', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    const [document, other] = [
      await createDocument(server, { parent: folder.path }),
      await createDocument(server, { parent: folder.path }),
    ];
    for (const { uid } of [document, other]) await run('Document.Trash', uid).expect(200);
    await run('Document.Hold', document.uid).expect(200);
    for (const [operation, { uid }] of [
      ['Document.EmptyTrash', folder],
      ['Document.Untrash', document],
    ] as const)
      expect((await run(operation, uid)).body).toMatchObject(refusal(document));
    await readDocument(server.request, other.uid);
  });

  test('and a refusal is not kept for its idempotency key', async () => {
    const { document } = await held();
    const remove = () => server.request.delete(atId(document.uid)).set('Idempotency-Key', 'the-key');
    await remove().expect(403);
    await run('Document.Unhold', document.uid).expect(200);
    await remove().expect(204);
  });
});

test('§3 of a Hold and a DELETE of the folder at once one is refused', async () => {
  for (let round = 0; round < 10; round += 1) {
    const folder = await createDocument(server, { type: 'Folder' });
    const { uid } = await createDocument(server, { parent: folder.path });
    const [hold, removal] = await Promise.all([
      run('Document.Hold', uid),
      server.request.delete(atId(folder.uid)),
    ]);
    const { status } = await server.request.get(atId(uid));
    expect([hold.status, removal.status, status]).toEqual(
      hold.status === 200 ? [200, 403, 200] : [404, 204, 404],
    );
  }
});
