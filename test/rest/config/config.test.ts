import { describe, expect, test } from '@jest/globals';
import { statements, useServer } from '../../support/server.ts';

const server = useServer();

const get = (address: string) => server.request.get(`/api/v1/config${address}`);

interface Field {
  type: string;
  fields: Record<string, unknown>;
}

const scalar = /^(string|long|double|boolean|date|binary|blob)(\[\])?$/;

function expectFields(fields: Record<string, unknown>): void {
  for (const field of Object.values(fields)) {
    if (typeof field === 'string') {
      expect(field).toMatch(scalar);
    } else {
      const { type, fields: inner, ...others } = field as Field;
      expect(type).toMatch(/^complex(\[\])?$/);
      expect(others).toEqual({});
      expectFields(inner);
    }
  }
}

function expectSchema(schema: Record<string, unknown>): void {
  expect(schema).toMatchObject({ 'entity-type': 'schema', name: expect.any(String) });
  const { 'entity-type': _, name: __, prefix, '@prefix': sign, fields, ...others } = schema;
  expect(others).toEqual({});
  expect(sign).toBe(prefix);
  expect(Object.hasOwn(schema, '@prefix')).toBe(Object.hasOwn(schema, 'prefix'));
  if (Object.hasOwn(schema, 'prefix')) expect(prefix).toMatch(/^\w+$/);
  expectFields(fields as Record<string, unknown>);
}

const dublincore = {
  title: 'string',
  description: 'string',
  subjects: 'string[]',
  rights: 'string',
  source: 'string',
  coverage: 'string',
  created: 'date',
  modified: 'date',
  issued: 'date',
  valid: 'date',
  expired: 'date',
  format: 'string',
  language: 'string',
  creator: 'string',
  contributors: 'string[]',
  lastContributor: 'string',
  nature: 'string',
  publisher: 'string',
};

describe('§4.6 /config/schemas', () => {
  test('answers a collection of schema entities', async () => {
    const response = await get('/schemas').expect(200);
    const { entries, ...others } = response.body;
    expect(others).toEqual({ 'entity-type': 'schemas' });
    expect(entries.length).toBeGreaterThan(30);
    for (const schema of entries) expectSchema(schema);
    expect(response.headers['content-type']).toContain('nuxeo-entity=schemas');
    expect(statements(response)).toBeLessThanOrEqual(1);
  });

  test('answers a schema with a prefix with both prefix and @prefix', async () => {
    const response = await get('/schemas/dublincore').expect(200);
    expect(response.body).toEqual({
      'entity-type': 'schema',
      name: 'dublincore',
      prefix: 'dc',
      '@prefix': 'dc',
      fields: dublincore,
    });
    expect(response.headers['content-type']).toMatch(
      /^application\/json; charset=utf-8; nuxeo-entity=schema$/,
    );
  });

  test('answers a schema without a prefix, and the types of blobs and complex lists', async () => {
    const file = await get('/schemas/file').expect(200);
    expect(file.body).toEqual({ 'entity-type': 'schema', name: 'file', fields: { content: 'blob' } });
    const files = await get('/schemas/files').expect(200);
    expect(files.body.fields).toEqual({ files: { type: 'complex[]', fields: { file: 'blob' } } });
  });

  test('contains the same entities as the addresses of the schemas', async () => {
    const { entries } = (await get('/schemas')).body;
    for (const name of ['dublincore', 'file', 'task']) {
      const alone = (await get(`/schemas/${name}`)).body;
      expect(entries.find((entry: { name: string }) => entry.name === name)).toEqual(alone);
    }
  });
});

describe('§4.6 /config/facets', () => {
  test('answers a collection of facet entities, without schemas where there are none', async () => {
    const response = await get('/facets').expect(200);
    const { entries, ...others } = response.body;
    expect(others).toEqual({ 'entity-type': 'facets' });
    for (const { 'entity-type': type, name, schemas, ...rest } of entries) {
      expect({ type, rest }).toEqual({ type: 'facet', rest: {} });
      expect(name).toEqual(expect.any(String));
      if (schemas) for (const schema of schemas) expectSchema(schema);
    }
    const named = (name: string) => entries.find((entry: { name: string }) => entry.name === name);
    expect(named('Folderish')).toEqual({ 'entity-type': 'facet', name: 'Folderish' });
    expect(named('NXTag').schemas).toEqual([
      expect.objectContaining({ name: 'facetedTag', '@prefix': 'nxtag' }),
    ]);
    expect(entries.every((entry: { schemas?: unknown[] }) => entry.schemas?.length !== 0)).toBe(true);
  });

  test('answers a facet with its schema', async () => {
    const { body } = await get('/facets/NXTag').expect(200);
    const schema = (await get('/schemas/facetedTag')).body;
    expect(body).toEqual({ 'entity-type': 'facet', name: 'NXTag', schemas: [schema] });
  });

  test('answers a facet without schemas with an empty list', async () => {
    const { body } = await get('/facets/Folderish').expect(200);
    expect(body).toEqual({ 'entity-type': 'facet', name: 'Folderish', schemas: [] });
  });
});

describe('§4.6 /config/types', () => {
  test('answers a collection of document types with maps of types and schemas', async () => {
    const response = await get('/types').expect(200);
    const { entries, doctypes, schemas, ...others } = response.body;
    expect(others).toEqual({ 'entity-type': 'docTypes' });
    expect(Object.keys(doctypes).sort()).toEqual(entries.map((entry: { name: string }) => entry.name).sort());
    for (const entry of entries) {
      expect(Object.keys(entry).sort()).toEqual(['entity-type', 'facets', 'name', 'parent', 'schemas']);
      expect(entry['entity-type']).toBe('docType');
      for (const schema of entry.schemas) expectSchema(schema);
      expect(doctypes[entry.name]).toEqual({
        parent: entry.parent ?? 'None!!!',
        facets: entry.facets,
        schemas: entry.schemas.map((schema: { name: string }) => schema.name),
      });
    }
    expect(doctypes.Document).toEqual({ parent: 'None!!!', facets: [], schemas: [] });
    expect(schemas.dublincore).toEqual({ '@prefix': 'dc', ...dublincore });
    expect(schemas.file).toEqual({ content: 'blob' });
    expect(Object.keys(schemas)).toHaveLength((await get('/schemas')).body.entries.length);
  });

  test('answers a type with its parent, facets and schemas', async () => {
    const response = await get('/types/File').expect(200);
    expect(response.body).toMatchObject({ 'entity-type': 'docType', name: 'File', parent: 'Document' });
    expect(response.body.facets).toEqual(
      expect.arrayContaining(['Downloadable', 'Versionable', 'Publishable']),
    );
    const names = response.body.schemas.map((schema: { name: string }) => schema.name);
    expect(names).toEqual(expect.arrayContaining(['common', 'file', 'dublincore', 'uid', 'files']));
    for (const schema of response.body.schemas) expectSchema(schema);
  });

  test('answers a type without a parent with null', async () => {
    const { body } = await get('/types/Document').expect(200);
    expect(body).toEqual({
      'entity-type': 'docType',
      name: 'Document',
      parent: null,
      facets: [],
      schemas: [],
    });
  });

  test('answers inherited schemas and facets', async () => {
    const { body } = await get('/types/OrderedFolder').expect(200);
    expect(body.parent).toBe('Folder');
    expect(body.facets).toEqual(expect.arrayContaining(['Folderish', 'Orderable']));
    expect(body.schemas.map(({ name }: { name: string }) => name)).toContain('dublincore');
  });
});

describe('§4.6 unknown names below /config', () => {
  const names = [
    'nosuch',
    'file%20',
    'FILE',
    'constructor',
    '__proto__',
    '%00',
    'a%2Fb',
    '%40x',
    'x'.repeat(3000),
  ];

  test.each(['facets', 'schemas', 'types'].flatMap((kind) => names.map((name) => [kind, name] as const)))(
    '/config/%s/%s answers 204 without a body',
    async (kind, name) => {
      const response = await get(`/${kind}/${name}`).expect(204);
      expect(response.text).toBe('');
      expect(response.headers).not.toHaveProperty('content-type');
    },
  );

  test('HEAD answers 204, too', async () => {
    await server.request.head('/api/v1/config/types/nosuch').expect(204);
  });

  test.each(['/config', '/config/', '/config/nosuch', '/config/types/File/more'])(
    '%s is not a route and answers 404',
    async (at) => {
      await server.request.get(`/api/v1${at}`).expect(404);
    },
  );
});

describe('§4.6 addresses below /config', () => {
  test.each(['/facets/', '/types/File/', '/schemas/dublincore/'])(
    '%s ignores its trailing slash',
    async (at) => {
      const { body } = await get(at).expect(200);
      expect(body).toEqual((await get(at.replace(/\/$/, ''))).body);
    },
  );

  test('names can be percent-encoded', async () => {
    expect((await get('/types/%46ile').expect(200)).body.name).toBe('File');
  });

  test('a repository in the address makes no difference', async () => {
    const { body } = await server.request.get('/api/v1/repo/default/config/types/File').expect(200);
    expect(body).toEqual((await get('/types/File')).body);
  });
});
