import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createDocument } from '../../support/factories.ts';
import type { TestServer } from '../../support/server.ts';
import { everyType } from './every-type.ts';
import { at, atId, entity, exception, nobody, startWithModel } from './requests.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startWithModel(everyType);
});
afterAll(() => server.stop());

const put = (path: string, fields: Record<string, unknown>) =>
  server.request.put(at(path)).send(entity(fields));

const get = async (path: string) => (await server.request.get(at(path)).expect(200)).body;

describe('§4.1 PUT writes only the properties in the body', () => {
  const before = { 'dc:title': 'A', 'dc:subjects': ['art', 'music'], 'dc:rights': 'none' };

  test('absent ones stay', async () => {
    const { path } = await createDocument(server, { properties: before });
    const { body } = await put(path, { properties: { 'dc:source': 'B' } }).expect(200);
    expect(body.properties).toMatchObject({ ...before, 'dc:source': 'B' });
  });

  test('null clears a scalar, and an empty list or null a list', async () => {
    const { path } = await createDocument(server, { properties: before });
    const cleared = await put(path, { properties: { 'dc:rights': null, 'dc:subjects': [] } }).expect(200);
    expect(cleared.body.properties).toMatchObject({ 'dc:title': 'A', 'dc:rights': null, 'dc:subjects': [] });
    await put(path, { properties: { 'dc:subjects': ['art'] } }).expect(200);
    await put(path, { properties: { 'dc:subjects': null } }).expect(200);
    expect((await get(path)).properties['dc:subjects']).toEqual([]);
  });

  test('a list is replaced as a whole', async () => {
    const { path } = await createDocument(server, { properties: before });
    const { body } = await put(path, { properties: { 'dc:subjects': ['music'] } }).expect(200);
    expect(body.properties['dc:subjects']).toEqual(['music']);
  });

  test('name, type and all else of the entity are not written', async () => {
    const { path, uid } = await createDocument(server, { properties: before });
    const others = {
      ...{ name: 'other', type: 'Folder', path: '/other', state: 'deleted', title: 'Other', isTrashed: true },
      ...{
        repository: 'other',
        parentRef: nobody,
        facets: [],
        contextParameters: { acls: 1 },
        unheardOf: [],
      },
    };
    const { body } = await put(path, { ...others, properties: { 'dc:rights': 'B' } }).expect(200);
    expect(body).toMatchObject({ uid, path, type: 'File', state: 'project', title: 'A', isTrashed: false });
  });

  test('without properties, or with null for them, nothing changes', async () => {
    const { path } = await createDocument(server, { properties: before });
    const whole = await get(path);
    for (const fields of [{}, { properties: {} }, { properties: null }]) {
      expect((await put(path, fields).expect(200)).body).toEqual(whole);
    }
  });

  test('a refused update changes nothing', async () => {
    const { path } = await createDocument(server, { properties: before });
    const whole = await get(path);
    await put(path, { properties: { 'dc:title': 'B', 'dc:nothing': 1 } }).expect(400);
    await put(path, { properties: { 'dc:title': 'B', 'dc:nature': 'nothing' } }).expect(422);
    expect(await get(path)).toEqual(whole);
  });

  test('a complex value is replaced, and its blobs with it', async () => {
    const part = { text: 'A', file: { content: 'a' } };
    const { path, uid } = await createDocument(server, { type: 'Every', properties: { 'ev:part': part } });
    const { body } = await put(path, { properties: { 'ev:part': { text: 'B' } } }).expect(200);
    expect(body.properties['ev:part']).toMatchObject({ text: 'B', file: null });
    const rows = await server.database.prisma.documentBlob.count({ where: { documentId: uid } });
    expect(rows).toBe(0);
  });

  test('updates at once of different properties are all kept', async () => {
    const { path } = await createDocument(server);
    const names = ['title', 'description', 'rights', 'source', 'format', 'language', 'publisher'];
    const answers = await Promise.all(
      names.map((name) => put(path, { properties: { [`dc:${name}`]: name } })),
    );
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
    const { properties, changeToken } = await get(path);
    for (const name of names) expect(properties[`dc:${name}`]).toBe(name);
    expect(changeToken).toBe(`0-${names.length}`);
  });
});

describe('§2.1 the title', () => {
  test('is dc:title, and the name where there is none', async () => {
    const { path, name } = await createDocument(server);
    expect((await get(path)).title).toBe(name);
    expect((await put(path, { properties: { 'dc:title': 'A' } })).body.title).toBe('A');
    expect((await put(path, { properties: { 'dc:title': null } })).body.title).toBe(name);
  });

  test('may be of any length, and keeps the list in order', async () => {
    const long = '😀'.repeat(10_000);
    const folder = await createDocument(server, { type: 'Folder' });
    await createDocument(server, { parent: folder.path, properties: { 'dc:title': `B${long}` } });
    await createDocument(server, { parent: folder.path, properties: { 'dc:title': `A${long}` } });
    const { body } = await server.request.get(`${at(folder.path)}/@children`).expect(200);
    expect(body.entries.map(({ title }: { title: string }) => title)).toEqual([`A${long}`, `B${long}`]);
  });
});

describe('§2.1 the uid in the body', () => {
  test('may be absent, null, empty or that of the addressed document, in upper case too', async () => {
    const { path, uid } = await createDocument(server);
    for (const given of [undefined, null, '', uid, uid.toUpperCase()]) {
      expect((await put(path, { uid: given }).expect(200)).body.uid).toBe(uid);
      await server.request
        .put(atId(uid))
        .send(entity({ uid: given }))
        .expect(200);
    }
  });

  test('of another document is refused, whether there is such a one or not', async () => {
    const { path } = await createDocument(server);
    const other = await createDocument(server);
    for (const uid of [other.uid, nobody, 'x']) {
      const { body } = await put(path, { uid, properties: { 'dc:title': 'A' } }).expect(400);
      expect(body).toMatchObject(exception(400, expect.stringContaining(uid)));
    }
    await put(path, { uid: 5 }).expect(400);
    expect((await get(path)).changeToken).toBe('0-0');
  });
});
