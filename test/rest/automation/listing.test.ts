import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { operations } from '../../../src/automation/index.ts';
import { statements, useServer } from '../../support/server.ts';

const server = useServer();

describe('§4.7 GET /automation', () => {
  test('lists all operations by id, with at most one statement', async () => {
    const response = await server.request.get('/api/v1/automation').expect(200);
    expect(Object.keys(response.body)).toEqual(['paths', 'codecs', 'operations', 'chains']);
    expect(response.body).toMatchObject({ paths: { login: 'login' }, codecs: [], chains: [] });
    const ids = response.body.operations.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(operations.map(({ id }) => id).sort());
    expect(statements(response)).toBeLessThanOrEqual(1); // the user of the request
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
  });
});

describe('§4.7 GET /automation/OPERATION', () => {
  test('describes an operation, by its name or an alias', async () => {
    const expected = {
      id: 'Document.Create',
      label: 'Create',
      category: 'Document',
      requires: null,
      description: 'Creates a document in the input document, and returns it.',
      url: 'Document.Create',
      signature: ['document', 'document', 'documents', 'documents'],
      params: [
        {
          name: 'type',
          description: 'The type of the new document.',
          type: 'string',
          required: true,
          widget: null,
          order: 0,
          values: [],
        },
        { name: 'name', type: 'string', required: false, order: 1 },
        { name: 'properties', type: 'properties', required: false, order: 2 },
      ],
    };
    const { body } = await server.request.get('/api/v1/automation/Document.Create').expect(200);
    expect(body).toMatchObject(expected);
    const old = await server.request.get('/api/v1/automation/Blob.Get').expect(200);
    expect(old.body).toMatchObject({ id: 'Document.GetBlob', aliases: ['Blob.Get'] });
    expect(old.body.signature).toEqual(['document', 'blob', 'documents', 'bloblist']);
    const { body: log } = await server.request.get('/site/automation/Log').expect(200);
    expect(log).toMatchObject({ signature: ['void', 'void'] });
    expect(log.params[2]).toMatchObject({ name: 'level', values: ['debug', 'info', 'warn', 'error'] });
  });

  test.each([
    ['Repository.Query', ['void', 'documents']],
    ['Repository.PageProvider', ['void', 'documents']],
    ['Favorite.GetDocuments', ['void', 'documents']],
    ['Collection.GetDocumentsFromCollection', ['document', 'documents']],
  ])('says that the pages of %s are documents', async (id, signature) => {
    const { body } = await server.request.get(`/api/v1/automation/${id}`).expect(200);
    expect(body.signature).toEqual(signature);
  });

  test('answers 404 for an unknown operation', async () => {
    await server.request.get('/api/v1/automation/Nosuch').expect(404);
  });
});

const partOf = (text: string, from: string, to: string): string => text.split(from)[1]?.split(to)[0] ?? '';

describe('The list of operations', () => {
  test('lacks what docs/automation.md says is not served: calls of it are 404, of scripts 501', async () => {
    const text = await readFile(new URL('../../../docs/automation.md', import.meta.url), 'utf8');
    const part = partOf(text, '### Not served', '## How to add one');
    const names = [...part.matchAll(/`([A-Z][\w.]+)`/g)].map(([, name]) => name);
    expect(names).toHaveLength(9);
    for (const name of names) {
      expect(operations.flatMap(({ id, aliases = [] }) => [id, ...aliases])).not.toContain(name);
      const { body } = await server.request.post(`/api/v1/automation/${name}`).send({});
      expect(body).toMatchObject({
        'entity-type': 'exception',
        status: name?.endsWith('Script') ? 501 : 404,
        message: expect.stringContaining(String(name)),
      });
    }
  });

  test('contains each name once', () => {
    const names = operations.flatMap(({ id, aliases = [] }) => [id, ...aliases]);
    expect(new Set(names).size).toBe(names.length);
  });

  test('is in the GraphQL schema, with typed arguments', async () => {
    const query = `{ __schema { queryType { fields { name args { name type { kind name } } } } } }`;
    const { body } = await server.request.post('/graphql').send({ query }).expect(200);
    const fields: Array<{ name: string; args: unknown[] }> = body.data.__schema.queryType.fields;
    const field = fields.find(({ name }) => name === 'documentGetBlob');
    expect(field?.args).toEqual([
      { name: 'context', type: { kind: 'SCALAR', name: 'JSON' } },
      { name: 'input', type: { kind: 'INPUT_OBJECT', name: 'OperationInput' } },
      { name: 'xpath', type: { kind: 'SCALAR', name: 'String' } },
    ]);
  });

  test('can be called through GraphQL, with the same checks', async () => {
    const ask = async (query: string) => (await server.request.post('/graphql').send({ query })).body;
    const create = `mutation { documentCreate(input: {document: "/default-domain"}, type: "File", name: "g") {
      kind document { path } documents { resultsCount } }
    }`;
    expect((await ask(create)).data).toEqual({
      documentCreate: { kind: 'document', document: { path: '/default-domain/g' }, documents: null },
    });
    const several = await ask('{ documentGetParent(input: {document: "/", documents: ["/"]}) { kind } }');
    expect(several.errors[0]).toMatchObject({
      message: 'input must contain only one of document, documents, text, user, blobs and upload.',
      extensions: { code: 'INVALID' },
    });
    const missing = await ask('mutation { documentDelete(input: {document: "/nosuch"}) { kind } }');
    expect(missing.errors[0].extensions.code).toBe('NOT_FOUND');
  });
});
