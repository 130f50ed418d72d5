import { expect, test } from '@jest/globals';
import { versionsOf } from '../../rest/versions/version-requests.ts';
import { checkConsistency } from '../../store/consistency.ts';
import { createDocument, readDocument, updateDocument } from '../../support/documents.ts';
import { calling } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';

const server = useServer();
checkConsistency(server);

const run = calling(server);

// §11
test('a restored document has the files of the version alone', async () => {
  const { uid } = await createDocument(server, { type: 'Folder' });
  await run('Document.AddFacet', uid, { facet: 'Versionable' }).expect(200);
  await run('Document.CreateVersion', uid, { increment: 'Minor' }).expect(200);
  await run('Document.AddFacet', uid, { facet: 'Picture' }).expect(200);
  const properties = { 'file:content': { content: 'of the facet', name: 'a.txt' } };
  await updateDocument(server.request, uid, properties).expect(200);
  const rows = () => server.database.prisma.documentBlob.count({ where: { documentId: uid } });
  expect(await rows()).toBe(1);

  const [version] = await versionsOf(server.request, uid);
  const { body } = await run('Document.RestoreVersion', version?.uid).expect(200);
  expect(body.facets).not.toContain('Picture');
  expect(await rows()).toBe(0);
});

test('a restored document without a title is listed by the name that it has now', async () => {
  const parent = await createDocument(server, { type: 'Folder' });
  const { uid } = await createDocument(server, { parent: parent.path, name: 'a-former' });
  await createDocument(server, { parent: parent.path, name: 'between' });
  await run('Document.CreateVersion', uid, { increment: 'Minor' }).expect(200);
  await run('Document.Move', uid, { target: parent.uid, name: 'the-present' }).expect(200);
  const [version] = await versionsOf(server.request, uid);
  await run('Document.RestoreVersion', version?.uid).expect(200);
  expect(await readDocument(server.request, uid)).toMatchObject({
    title: 'the-present',
    path: `${parent.path}/the-present`,
  });
  const { body } = await server.request.get(`/api/v1/id/${parent.uid}/@children`).expect(200);
  expect(body.entries.map(({ name }: { name: string }) => name)).toEqual(['between', 'the-present']);
});
