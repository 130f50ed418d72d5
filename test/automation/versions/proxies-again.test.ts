import { expect, test } from '@jest/globals';
import { checkConsistency } from '../../store/consistency.ts';
import {
  createDocument,
  type DocumentEntity,
  readDocument,
  updateDocument,
} from '../../support/documents.ts';
import { calling } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';

const server = useServer();
checkConsistency(server);

const run = calling(server);
const { request } = server;

const newSection = () => createDocument(server, { type: 'Section', parent: '/default-domain/sections' });
const publish = async (input: string, target: string): Promise<DocumentEntity> =>
  (await run('Document.PublishToSection', input, { target }).expect(200)).body;

// §11
test('a proxy that is published into a trashed section is in the trash, and restored with it', async () => {
  const [section, document] = [await newSection(), await createDocument(server)];
  await run('Document.Trash', section.uid).expect(200);
  const proxy = await publish(document.uid, section.uid);
  expect(proxy.isTrashed).toBe(true);
  await run('Document.Untrash', section.uid).expect(200);
  expect((await readDocument(request, proxy.uid)).isTrashed).toBe(false);
});

test('a proxy stays in its collections when it shows another version or a rendition', async () => {
  const [section, document] = [await newSection(), await createDocument(server, { type: 'Note' })];
  const proxy = await publish(document.uid, section.uid);
  const collection = await createDocument(server, { type: 'Collection' });
  await run('Document.AddToCollection', proxy.uid, { collection: collection.uid }).expect(200);
  await updateDocument(request, document.uid, { 'note:note': 'changed' }).expect(200);

  const again = await publish(document.uid, section.uid);
  expect(again).toMatchObject({ uid: proxy.uid, properties: { 'note:note': 'changed' } });
  expect(again.facets).toContain('CollectionMember');
  expect((await readDocument(request, document.uid)).facets).not.toContain('CollectionMember');
  expect(again.properties['collectionMember:collectionIds']).toEqual([collection.uid]);

  const rendition = { target: section.uid, renditionName: 'xmlExport' };
  const { body } = await run('PublishRendition', document.uid, rendition).expect(200);
  expect(body).toMatchObject({
    uid: proxy.uid,
    facets: expect.arrayContaining(['Rendition', 'CollectionMember']),
    properties: { 'collectionMember:collectionIds': [collection.uid] },
  });
});
