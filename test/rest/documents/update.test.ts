import { describe, expect, test } from '@jest/globals';
import { atId, atPath, createDocument, documentBody, missingId } from '../../support/documents.ts';
import { exception } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { everyType } from './every-type.ts';

const server = useServer({}, everyType);

const put = (path: string, fields: Record<string, unknown>) =>
  server.request.put(atPath(path)).send(documentBody(fields));

const get = async (path: string) => (await server.request.get(atPath(path)).expect(200)).body;

describe('§4.1 PUT writes only the properties in the body', () => {
  const before = { 'dc:title': 'A', 'dc:subjects': ['art', 'music'], 'dc:rights': 'none' };

  test('absent properties are kept', async () => {
    const { path } = await createDocument(server, { properties: before });
    const { body } = await put(path, { properties: { 'dc:source': 'B' } }).expect(200);
    expect(body.properties).toMatchObject({ ...before, 'dc:source': 'B' });
  });

  test('null clears scalars and lists, an empty list clears lists', async () => {
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

  test('name, type and the other fields of the entity are ignored', async () => {
    const { path, uid } = await createDocument(server, { properties: before });
    const others = {
      name: 'other',
      type: 'Folder',
      path: '/other',
      state: 'deleted',
      title: 'Other',
      isTrashed: true,
      repository: 'other',
      parentRef: missingId,
      facets: [],
      contextParameters: { acls: 1 },
      unheardOf: [],
    };
    const { body } = await put(path, { ...others, properties: { 'dc:rights': 'B' } }).expect(200);
    expect(body).toMatchObject({ uid, path, type: 'File', state: 'project', title: 'A', isTrashed: false });
  });

  test('nothing changes when properties are absent, null or empty', async () => {
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

  test('a complex value is replaced together with its blobs', async () => {
    const part = { text: 'A', file: { content: 'a' } };
    const { path, uid } = await createDocument(server, { type: 'Every', properties: { 'ev:part': part } });
    const { body } = await put(path, { properties: { 'ev:part': { text: 'B' } } }).expect(200);
    expect(body.properties['ev:part']).toMatchObject({ text: 'B', file: null });
    const rows = await server.database.prisma.documentBlob.count({ where: { documentId: uid } });
    expect(rows).toBe(0);
  });

  test('concurrent updates of different properties are all applied', async () => {
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

describe('§4.1 a PUT without properties', () => {
  const ignoring = { contextParameters: { acls: [] }, title: 'b', 'é"\r\n': 1 };
  const named = 'Only its \\"properties\\" are written, not contextParameters, title.';

  test.each([[{}], [{ properties: {} }], [{ properties: null }]])(
    'names the other fields in a Warning, and is 400 under handling=strict: %j',
    async (properties) => {
      const { uid, changeToken } = await createDocument(server);
      const body = { 'entity-type': 'document', uid, ...ignoring, ...properties };
      const { headers } = await server.request.put(atId(uid)).send(body).expect(200);
      expect(headers.warning).toBe(`299 - "The body changes no property. ${named}"`);
      const refused = await server.request
        .put(atId(uid))
        .set('Prefer', 'handling=strict')
        .send(body)
        .expect(400);
      expect(refused.body.message).toContain(
        'The body changes no property. Only its "properties" are written',
      );
      expect(refused.headers).not.toHaveProperty('warning');
      expect((await server.request.get(atId(uid))).body.changeToken).toBe(changeToken);
    },
  );

  test('has no Warning when it has no other fields, or changes a property', async () => {
    const { uid } = await createDocument(server);
    for (const more of [{}, { ...ignoring, properties: { 'dc:title': 'c' } }]) {
      const body = { 'entity-type': 'document', uid, ...more };
      const { headers } = await server.request
        .put(atId(uid))
        .set('Prefer', 'handling=strict')
        .send(body)
        .expect(200);
      expect(headers).not.toHaveProperty('warning');
    }
  });
});

describe('§2.1 the title of a document', () => {
  test('is dc:title, or the name when dc:title is unset', async () => {
    const { path, name } = await createDocument(server);
    expect((await get(path)).title).toBe(name);
    expect((await put(path, { properties: { 'dc:title': 'A' } })).body.title).toBe('A');
    expect((await put(path, { properties: { 'dc:title': null } })).body.title).toBe(name);
  });

  test('can have 10,000 characters and still sorts @children', async () => {
    const long = '😀'.repeat(9_999);
    const folder = await createDocument(server, { type: 'Folder' });
    await createDocument(server, { parent: folder.path, properties: { 'dc:title': `B${long}` } });
    await createDocument(server, { parent: folder.path, properties: { 'dc:title': `A${long}` } });
    const { body } = await server.request.get(`${atPath(folder.path)}/@children`).expect(200);
    expect(body.entries.map(({ title }: { title: string }) => title)).toEqual([`A${long}`, `B${long}`]);
  });
});

describe('§2.1 the uid in the body', () => {
  test('can be absent, null, empty or that of the addressed document in any case', async () => {
    const { path, uid } = await createDocument(server);
    for (const given of [undefined, null, '', uid, uid.toUpperCase()]) {
      expect((await put(path, { uid: given }).expect(200)).body.uid).toBe(uid);
      await server.request
        .put(atId(uid))
        .send(documentBody({ uid: given }))
        .expect(200);
    }
  });

  test('is refused when it is not that of the addressed document', async () => {
    const { path } = await createDocument(server);
    const other = await createDocument(server);
    for (const uid of [other.uid, missingId, 'x']) {
      const { body } = await put(path, { uid, properties: { 'dc:title': 'A' } }).expect(400);
      expect(body).toMatchObject(exception(400, expect.stringContaining(uid)));
    }
    await put(path, { uid: 5 }).expect(400);
    expect((await get(path)).changeToken).toBe('0-0');
  });
});
