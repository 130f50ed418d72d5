import { expect, test } from '@jest/globals';
import sharp from 'sharp';
import { picture, uploadPicture } from '../../rest/renditions/pictures.ts';
import { versionsOf } from '../../rest/versions/version-requests.ts';
import { checkConsistency } from '../../store/consistency.ts';
import { createDocument, type DocumentEntity, readDocument } from '../../support/documents.ts';
import { asBytes, calling } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';

const server = useServer();
checkConsistency(server);
const run = calling(server);

const newSection = () => createDocument(server, { type: 'Section', parent: '/default-domain/sections' });

const publish = async (input: string, params: Record<string, unknown>): Promise<DocumentEntity> =>
  (await run('PublishRendition', input, params).expect(200)).body;

const childrenOf = async ({ path }: DocumentEntity) =>
  (await server.request.get(`/api/v1/path${path}/@children`).expect(200)).body.entries as DocumentEntity[];

test('§11 a published rendition is a proxy of a version, with the rendition as its main file', async () => {
  const { uid: target } = await newSection();
  const document = await uploadPicture(server, await picture(900, 600, 'jpeg'));
  const proxy = await publish(document.uid, { target, renditionName: 'Small' });
  const [version] = await versionsOf(server.request, document.uid);
  expect(proxy).toMatchObject({
    type: 'Picture',
    isProxy: true,
    facets: expect.arrayContaining(['Rendition', 'Picture']),
    properties: {
      'dc:title': document.properties['dc:title'],
      'rend:renditionName': 'Small',
      'rend:sourceId': version?.uid,
      'rend:sourceVersionableId': document.uid,
    },
  });
  const { body } = await asBytes(server.request.get(`/api/v1/id/${proxy.uid}/@blob/file:content`)).expect(
    200,
  );
  expect(await sharp(body as Buffer).metadata()).toMatchObject({ width: 550, height: 367 });
  const source = await readDocument(server.request, document.uid);
  expect(source.properties['file:content']).toMatchObject({ name: 'photo.x' });
});

test('§11 a note is published as a File, and again in place of itself', async () => {
  const section = await newSection();
  const target = section.path;
  const note = await createDocument(server, { type: 'Note', properties: { 'note:note': 'some text' } });
  const first = await publish(note.uid, { target, defaultRendition: true });
  expect(first.properties['file:content']).toMatchObject({ 'mime-type': 'text/plain', length: '9' });
  const second = await publish(note.uid, { target, renditionName: 'zipExport' });
  expect(second).toMatchObject({ uid: first.uid, type: 'File' });
  expect(second.properties['file:content']).toMatchObject({ 'mime-type': 'application/zip' });
  await publish(note.uid, { target, renditionName: 'xmlExport', override: false });
  expect((await childrenOf(section)).length).toBe(2);
  const plain = await publish(note.uid, { target });
  expect(plain).toMatchObject({ type: 'Note', properties: { 'note:note': 'some text' } });
  expect(plain.facets).not.toContain('Rendition');
  expect((await childrenOf(section)).length).toBe(1);
});

test('§11 renditions of renditions are not published', async () => {
  const { uid: target } = await newSection();
  const { uid } = await createDocument(server, { properties: { 'file:content': { content: 'x' } } });
  const proxy = await publish(uid, { target, defaultRendition: true });
  const { body } = await run('PublishRendition', proxy.uid, { target, renditionName: 'xmlExport' }).expect(
    400,
  );
  expect(body.message).toMatch(/is a rendition$/);
});
