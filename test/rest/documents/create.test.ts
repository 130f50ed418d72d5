import { describe, expect, test } from '@jest/globals';
import {
  atId,
  atPath,
  createDocument,
  documentBody,
  missingId,
  workspaces,
} from '../../support/documents.ts';
import { exception } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';

const server = useServer();

const post = (body: Record<string, unknown>, parent = workspaces) =>
  server.request.post(atPath(parent)).send(body);

const scalars = ['dc:description', 'dc:rights', 'dc:coverage', 'dc:issued', 'dc:nature', 'uid:uid'];

describe('§2.1 the document entity', () => {
  test('has these fields and no other for a new file', async () => {
    const { body } = await post(documentBody({ name: 'whole', type: 'File' })).expect(201);
    const parent = (await server.request.get(atPath(workspaces)).expect(200)).body;
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

  test('is the same in the answers to POST and to a later GET', async () => {
    const { body } = await post(
      documentBody({ name: 'same', type: 'File', properties: { 'dc:title': 'A' } }),
    );
    expect((await server.request.get(atPath(body.path))).body).toEqual(body);
  });

  test('has all properties of its schemas: null for unset scalars, [] for unset lists', async () => {
    const { body } = await post(documentBody({ name: 'filled', type: 'File' })).expect(201);
    const { properties, schemas } = body;
    for (const xpath of scalars) expect(properties).toHaveProperty([xpath], null);
    expect(properties).toMatchObject({
      'common:icon': '/icons/file.svg',
      'dc:subjects': [],
      'files:files': [],
      'file:content': null,
      'uid:major_version': 0,
      'uid:minor_version': 0,
    });
    const prefixes = new Set(Object.keys(properties).map((xpath) => xpath.split(':')[0]));
    expect([...prefixes].sort()).toEqual(schemas.map(({ prefix }: { prefix: string }) => prefix).sort());
  });

  test('has no lastModified when the type has no schema dublincore', async () => {
    const { body } = await post(documentBody({ name: 'bare', type: 'Document' })).expect(201);
    expect(body).not.toHaveProperty('lastModified');
    expect(body).toMatchObject({ type: 'Document', properties: {}, facets: [], schemas: [], title: 'bare' });
  });
});

describe('§4.1 POST of a document', () => {
  test('accepts bodies without properties or with properties null', async () => {
    await post(documentBody({ name: 'none', type: 'File' })).expect(201);
    await post(documentBody({ name: 'null', type: 'File', properties: null })).expect(201);
    await post(documentBody({ name: 'empty', type: 'File', properties: {} })).expect(201);
  });

  test('leaves null and empty properties unset', async () => {
    const properties = {
      'dc:title': null,
      'dc:subjects': [],
      'file:content': null,
      'uid:major_version': null,
    };
    const { body } = await post(documentBody({ name: 'unset', type: 'File', properties })).expect(201);
    expect(body.title).toBe('unset');
    expect(body.properties).toMatchObject({
      'dc:title': null,
      'dc:subjects': [],
      'file:content': null,
      'uid:major_version': 0,
    });
  });

  test('accepts children of any type, also of types that are not subtypes of the parent', async () => {
    const file = await createDocument(server, { type: 'File' });
    await post(documentBody({ name: 'inside', type: 'Domain' }), file.path).expect(201);
  });

  test('ignores all other fields of the entity', async () => {
    const { uid } = await createDocument(server);
    const ignored = {
      uid,
      path: '/elsewhere',
      repository: 'other',
      state: 'deleted',
      parentRef: missingId,
      isVersion: true,
      isTrashed: true,
      changeToken: '7-7',
      title: 'Other',
      facets: ['Folderish'],
      schemas: 5,
      lastModified: 1,
      contextParameters: { acls: [] },
      unheardOf: { of: [] },
    };
    const { body } = await post(documentBody({ name: 'plain', type: 'Note', ...ignored })).expect(201);
    expect(body).toMatchObject({
      path: `${workspaces}/plain`,
      state: 'project',
      isTrashed: false,
      changeToken: '0-0',
    });
    expect(body.uid).not.toBe(uid);
    expect(body).toMatchObject({ isVersion: false, title: 'plain', repository: 'default' });
  });

  test.each(['name', 'type'])('refuses a missing or blank %s and creates no document', async (field) => {
    for (const value of [undefined, null, '', ' ', '\u00a0']) {
      const { body } = await post(documentBody({ name: 'x', type: 'File', [field]: value })).expect(400);
      expect(body).toMatchObject(exception(400, `"${field}" is missing.`));
    }
    await server.request.get(atPath(`${workspaces}/x`)).expect(404);
  });

  test.each([1, true, {}, ['File']])('refuses %j as name and as type', async (value) => {
    const named = await post(documentBody({ name: value, type: 'File' })).expect(400);
    expect(named.body.message).toContain('name');
    const typed = await post(documentBody({ name: 'x', type: value })).expect(400);
    expect(typed.body.message).toContain('type');
  });

  test.each(['Nothing', 'file', 'constructor', '__proto__', 'toString', ' File'])(
    'refuses the unknown type %j',
    async (type) => {
      const { body } = await post(documentBody({ name: 'x', type })).expect(400);
      expect(body).toMatchObject(exception(400, expect.stringContaining(`Type: ${type} does not exist.`)));
    },
  );

  test('names every invalid field of the entity in the error', async () => {
    const { body } = await post({ 'entity-type': 'user', type: 5, properties: [] }).expect(400);
    for (const field of ['entity-type', 'name', 'type', 'properties']) expect(body.message).toContain(field);
  });

  test('leaves no document and no blob row when it is refused', async () => {
    const properties = { 'dc:nature': 'nothing', 'file:content': { content: 'x' } };
    const before = await server.database.prisma.documentBlob.count();
    await post(documentBody({ name: 'refused', type: 'File', properties })).expect(422);
    await server.request.get(atPath(`${workspaces}/refused`)).expect(404);
    expect(await server.database.prisma.documentBlob.count()).toBe(before);
  });

  test('makes the new document available by its id, too', async () => {
    const { uid, path } = await createDocument(server);
    expect((await server.request.get(atId(uid))).body.path).toBe(path);
  });
});
