import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createDocument } from '../../support/factories.ts';
import { start, type TestServer } from '../../support/server.ts';
import { at, atId, entity, exception, nobody, workspaces } from './requests.ts';

let server: TestServer;
beforeAll(async () => {
  server = await start();
});
afterAll(() => server.stop());

const post = (body: Record<string, unknown>, parent = workspaces) =>
  server.request.post(at(parent)).send(body);

const scalars = [
  'dc:description',
  'dc:rights',
  'dc:coverage',
  'dc:issued',
  'dc:nature',
  'common:icon',
  'uid:uid',
];

describe('§2.1 the document entity', () => {
  test('of a new file has these fields and no other', async () => {
    const { body } = await post(entity({ name: 'whole', type: 'File' })).expect(201);
    const parent = (await server.request.get(at(workspaces)).expect(200)).body;
    expect(body).toEqual({
      'entity-type': 'document',
      repository: 'default',
      uid: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      name: 'whole',
      path: `${workspaces}/whole`,
      type: 'File',
      state: 'project',
      parentRef: parent.uid,
      isCheckedOut: true,
      isRecord: false,
      retainUntil: null,
      hasLegalHold: false,
      isUnderRetentionOrLegalHold: false,
      isVersion: false,
      isProxy: false,
      changeToken: '0-0',
      isTrashed: false,
      title: 'whole',
      lastModified: body.properties['dc:modified'],
      facets: expect.arrayContaining(['Downloadable', 'Versionable', 'Publishable', 'Commentable', 'NXTag']),
      schemas: expect.arrayContaining([
        { name: 'dublincore', prefix: 'dc' },
        { name: 'uid', prefix: 'uid' },
        { name: 'file', prefix: 'file' },
        { name: 'common', prefix: 'common' },
      ]),
      properties: expect.any(Object),
    });
  });

  test('says the same to a later reader', async () => {
    const { body } = await post(entity({ name: 'same', type: 'File', properties: { 'dc:title': 'A' } }));
    expect((await server.request.get(at(body.path))).body).toEqual(body);
  });

  test('has every property of its schemas: unset scalars null, unset lists empty', async () => {
    const { body } = await post(entity({ name: 'filled', type: 'File' })).expect(201);
    const { properties, schemas } = body;
    for (const xpath of scalars) expect(properties).toHaveProperty([xpath], null);
    expect(properties).toMatchObject({
      'dc:subjects': [],
      'files:files': [],
      'file:content': null,
      'uid:major_version': 0,
      'uid:minor_version': 0,
    });
    const prefixes = new Set(Object.keys(properties).map((xpath) => xpath.split(':')[0]));
    expect([...prefixes].sort()).toEqual(schemas.map(({ prefix }: { prefix: string }) => prefix).sort());
  });

  test('of a type without dublincore has no lastModified', async () => {
    const { body } = await post(entity({ name: 'bare', type: 'Document' })).expect(201);
    expect(body).not.toHaveProperty('lastModified');
    expect(body).toMatchObject({ type: 'Document', properties: {}, facets: [], schemas: [], title: 'bare' });
  });
});

describe('§4.1 POST', () => {
  test('takes a create without properties, or with null for them', async () => {
    await post(entity({ name: 'none', type: 'File' })).expect(201);
    await post(entity({ name: 'null', type: 'File', properties: null })).expect(201);
    await post(entity({ name: 'empty', type: 'File', properties: {} })).expect(201);
  });

  test('leaves null and empty properties unset', async () => {
    const properties = {
      'dc:title': null,
      'dc:subjects': [],
      'file:content': null,
      'uid:major_version': null,
    };
    const { body } = await post(entity({ name: 'unset', type: 'File', properties })).expect(201);
    expect(body.title).toBe('unset');
    expect(body.properties).toMatchObject({
      'dc:title': null,
      'dc:subjects': [],
      'file:content': null,
      'uid:major_version': 0,
    });
  });

  test('takes subtypes for advice: any type goes below any other', async () => {
    const file = await createDocument(server, { type: 'File' });
    await post(entity({ name: 'inside', type: 'Domain' }), file.path).expect(201);
  });

  test('ignores what else the entity has', async () => {
    const { uid } = await createDocument(server);
    const ignored = {
      ...{
        uid,
        path: '/elsewhere',
        repository: 'other',
        state: 'deleted',
        parentRef: nobody,
        isVersion: true,
      },
      ...{
        isTrashed: true,
        changeToken: '7-7',
        title: 'Other',
        facets: ['Folderish'],
        schemas: 5,
        lastModified: 1,
      },
      ...{ contextParameters: { acls: [] }, unheardOf: { of: [] } },
    };
    const { body } = await post(entity({ name: 'plain', type: 'Note', ...ignored })).expect(201);
    expect(body).toMatchObject({
      path: `${workspaces}/plain`,
      state: 'project',
      isTrashed: false,
      changeToken: '0-0',
    });
    expect(body.uid).not.toBe(uid);
    expect(body).toMatchObject({ isVersion: false, title: 'plain', repository: 'default' });
  });

  test.each(['name', 'type'])('a missing or blank %s is refused, and nothing is made', async (field) => {
    for (const value of [undefined, null, '', ' ', '\u00a0']) {
      const { body } = await post(entity({ name: 'x', type: 'File', [field]: value })).expect(400);
      expect(body).toMatchObject(exception(400, expect.stringContaining(field)));
    }
    await server.request.get(at(`${workspaces}/x`)).expect(404);
  });

  test.each([1, true, {}, ['File']])('a name or type that is %j is refused', async (value) => {
    const named = await post(entity({ name: value, type: 'File' })).expect(400);
    expect(named.body.message).toContain('name');
    const typed = await post(entity({ name: 'x', type: value })).expect(400);
    expect(typed.body.message).toContain('type');
  });

  test.each(['Nothing', 'file', 'constructor', '__proto__', 'toString', ' File'])(
    'the type %j, which nobody contributed, is refused',
    async (type) => {
      const { body } = await post(entity({ name: 'x', type })).expect(400);
      expect(body).toMatchObject(exception(400, `Type: ${type} does not exist`));
    },
  );

  test('every fault of the envelope is named', async () => {
    const { body } = await post({ 'entity-type': 'user', type: 5, properties: [] }).expect(400);
    for (const field of ['entity-type', 'name', 'type', 'properties']) expect(body.message).toContain(field);
  });

  test('a refused create leaves no document and no blob row', async () => {
    const properties = { 'dc:nature': 'nothing', 'file:content': { content: 'x' } };
    const before = await server.database.prisma.documentBlob.count();
    await post(entity({ name: 'refused', type: 'File', properties })).expect(422);
    await server.request.get(at(`${workspaces}/refused`)).expect(404);
    expect(await server.database.prisma.documentBlob.count()).toBe(before);
  });

  test('the new document is found by its id too', async () => {
    const { uid, path } = await createDocument(server);
    expect((await server.request.get(atId(uid))).body.path).toBe(path);
  });
});
