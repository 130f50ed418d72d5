import { describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { picture, uploadPicture } from '../../rest/renditions/pictures.ts';
import { versionsOf } from '../../rest/versions/version-requests.ts';
import { checkConsistency } from '../../store/consistency.ts';
import { only, setAcl } from '../../support/acls.ts';
import { createDocument, type DocumentEntity, missingId, readDocument } from '../../support/documents.ts';
import { asBytes, call, calling } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';

const server = useServer();
const bob = useUser(server, 'bob', ['members']);
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
  expect(body.message).toMatch(/is already a rendition\.$/);
});

test('§11 a rendition is published of what was tagged since its version, with the tags of the version', async () => {
  const { uid: target } = await newSection();
  const file = await createDocument(server, { properties: { 'file:content': { content: 'x' } } });
  await run('Services.TagDocument', file.uid, { tags: ['early'] }).expect(200);
  await publish(file.uid, { target, defaultRendition: true });
  await run('Services.TagDocument', file.uid, { tags: ['late'] }).expect(200);
  const proxy = await publish(file.uid, { target, defaultRendition: true });
  expect(proxy.properties['nxtag:tags']).toEqual([{ label: 'early', username: 'Administrator' }]);
  const [version] = await versionsOf(server.request, file.uid);
  await run('Services.RemoveDocumentTags', version?.uid ?? '').expect(200);
  expect((await publish(file.uid, { target, defaultRendition: true })).properties['nxtag:tags']).toEqual([]);
});

describe('§4.7 renditions of a list', () => {
  const params = async () => ({ target: (await newSection()).uid, renditionName: 'xmlExport' });
  const notes = () => Promise.all([1, 2].map(() => createDocument(server, { type: 'Note' })));

  test('are published in its order, of each document once', async () => {
    const [one, two] = (await notes()) as [DocumentEntity, DocumentEntity];
    const input = [two.uid, one.uid, two.path];
    const { body } = await call(server.request, 'PublishRendition', { input, params: await params() });
    expect(body).toMatchObject({
      'entity-type': 'documents',
      entries: [{ versionableId: two.uid }, { versionableId: one.uid }],
    });
    expect(body.entries).toHaveLength(2);
  });

  test('are made before any document is locked, and published all or none', async () => {
    const [note, picture] = [(await notes())[0], await createDocument(server, { type: 'Picture' })];
    const input = [note?.uid, picture.uid];
    const given = { ...(await params()), renditionName: 'Small' };
    await server.database.prisma.$transaction(
      async (blocker) => {
        await blocker.$queryRaw`SELECT id FROM document WHERE id = ${note?.uid}::uuid FOR UPDATE`;
        await call(server.request, 'PublishRendition', { input, params: given }).expect(404);
      },
      { timeout: 60_000 },
    );
    await call(server.request, 'PublishRendition', {
      input: [note?.uid, missingId],
      params: given,
    }).expect(404);
    expect(await versionsOf(server.request, picture.uid)).toEqual([]);
    expect(await childrenOf(await readDocument(server.request, given.target))).toEqual([]);
  });

  test('are refused without a right on the section', async () => {
    const given = await params();
    await setAcl(server, (await readDocument(server.request, given.target)).path, [
      ...only('Administrator', 'Everything'),
    ]);
    const input = (await notes()).map(({ uid }) => uid);
    const { body } = await call(bob, 'PublishRendition', { input, params: given }).expect(403);
    expect(body.message).toMatch(/^Privilege 'Read' is not granted to 'bob' on the document /);
  });
});
