import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { hashPassword } from '../../src/store/authorities/passwords.ts';
import { favoriteDocuments } from '../../web/src/graphql/operations.ts';
import { createDocument } from '../support/documents.ts';
import { startServer, statements, useServer } from '../support/server.ts';

const server = useServer({ REPOSITORIES: 'default,other' });

const post = (query: string | undefined, variables: object = {}) =>
  server.request.post('/graphql').send({ query, variables });

/** The code of the only error of an answer. */
const codeOf = (response: {
  body: { errors?: Array<{ extensions: { code: string } }> };
}): string | undefined => {
  expect(response.body.errors).toHaveLength(1);
  return response.body.errors?.[0]?.extensions.code;
};

const exists = async (path: string): Promise<boolean> =>
  (await server.request.get(`/api/v1/path${path}`)).status === 200;

describe('/graphql', () => {
  test('answers a query with variables, with one statement', async () => {
    const query = 'query ($path: String!) { document(path: $path) { uid path title } }';
    await post(query, { path: '/' }).expect(200);
    const response = await post(query, { path: '/default-domain' }).expect(200);
    const { body: entity } = await server.request.get('/api/v1/path/default-domain');
    expect(response.body).toEqual({
      data: { document: { uid: entity.uid, path: '/default-domain', title: 'Domain' } },
    });
    expect(statements(response)).toBe(1);
  });

  test('counts references by how many there may be', async () => {
    const referring = (most: string) =>
      `{ document(path: "/") { children(pageSize: 1000) { entries {
        references(fetch: ["properties"]${most}) { document { uid } } } } } }`;
    const { body } = await post(referring(', most: 1000')).expect(400);
    expect(body.errors).toMatchObject([
      { message: expect.stringMatching(/too expensive: its cost is 200\d{4}, /) },
    ]);
    for (const most of ['', ', most: 0', ', most: 60']) await post(referring(most)).expect(200);
  });

  test('counts the page of an operation by how long it may be', async () => {
    const page = '{ page { entries { children(pageSize: 200) { entries { uid } } } } }';
    for (const query of [
      `{ repositoryQuery(query: "SELECT * FROM Document") ${page} }`,
      `{ favoriteGetDocuments ${page} }`,
      `mutation { callOperation(name: "Repository.Query") ${page} }`,
    ]) {
      const { body } = await post(query).expect(400);
      expect(body.errors).toMatchObject([{ message: expect.stringContaining('too expensive: its cost') }]);
    }
    await post(favoriteDocuments.text, { cursor: '*', pageSize: 1000 }).expect(200);
  });

  test('finds documents by ids in upper case, in the order in which they are given', async () => {
    const [one, two] = [await createDocument(server), await createDocument(server)];
    const ids = [two.uid.toUpperCase(), one.uid, 'NO-ID', one.uid.toUpperCase()];
    const { body } = await post('query ($ids: [ID!]!) { documents(ids: $ids) { uid } }', { ids }).expect(200);
    expect(body).toEqual({
      data: { documents: [{ uid: two.uid }, { uid: one.uid }, null, { uid: one.uid }] },
    });
  });

  test('answers queries by GET, but no mutations', async () => {
    const { body } = await server.request
      .get('/graphql')
      .query({ query: '{ document(path: "/") { path } }' });
    expect(body).toEqual({ data: { document: { path: '/' } } });
    await createDocument(server, { parent: '/', name: 'kept' });
    await server.request
      .get('/graphql')
      .query({ query: 'mutation { deleteDocument(path: "/kept") }' })
      .expect(405);
    expect(await exists('/kept')).toBe(true);
  });

  test('refuses media types that a form of another site could send', async () => {
    const query = '{"query":"{ document(path: \\"/\\") { path } }"}';
    await server.request.post('/graphql').set('Content-Type', 'text/plain').send(query).expect(415);
  });

  test.each(['application/json', 'text/event-stream'])('lets no other origin read %s', async (type) => {
    const { headers } = await server.request
      .get('/graphql')
      .query({ query: '{ __typename }' })
      .set({ Origin: 'http://other.example', Accept: type });
    expect(headers['content-type']).toContain(type);
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect(headers['access-control-allow-credentials']).toBeUndefined();
  });

  test('uses the repository of the header', async () => {
    const query = '{ document(path: "/") { repository } }';
    expect((await post(query).set('Repository', 'other')).body.data.document.repository).toBe('other');
    expect((await post(query)).body.data.document.repository).toBe('default');
    expect(codeOf(await post(query).set('Repository', 'nosuch'))).toBe('NOT_FOUND');
  });

  test('answers with the X-Request-Id of the request', async () => {
    const response = await post('{ __typename }').set('X-Request-Id', 'mine');
    expect(response.headers['x-request-id']).toBe('mine');
  });

  test('serves the content model', async () => {
    const { body } = await post(
      '{ docType(name: "File") { parent facets } schema(name: "file") { prefix fields } }',
    );
    expect(body.data.docType.parent).toBe('Document');
    expect(body.data.schema).toEqual({ prefix: null, fields: { content: 'blob' } });
  });
});

describe('/graphql mutations of one request', () => {
  const create = (alias: string, parent: string, name: string) =>
    `${alias}: createDocument(parentPath: "${parent}", document: {name: "${name}", type: "Folder"}) { path }`;

  test('are all committed, in their order', async () => {
    const { body } = await post(`mutation { ${create('a', '/', 'one')} ${create('b', '/one', 'two')} }`);
    expect(body).toEqual({ data: { a: { path: '/one' }, b: { path: '/one/two' } } });
    expect(await exists('/one/two')).toBe(true);
    const change = 'updateDocument(path: "/one", document: {properties: $properties}) { title }';
    const changed = await post(`mutation ($properties: JSON) { ${change} }`, {
      properties: { 'dc:title': 'One' },
    });
    expect(changed.body.data.updateDocument.title).toBe('One');
    expect((await server.request.get('/api/v1/path/one')).body.title).toBe('One');
    expect((await post('mutation { deleteDocument(path: "/one") }')).body.errors).toBeUndefined();
    expect(await exists('/one')).toBe(false);
  });

  test('are all rolled back when one of them fails', async () => {
    const response = await post(`mutation { ${create('a', '/', 'gone')} ${create('b', '/nosuch', 'x')} }`);
    expect(codeOf(response)).toBe('NOT_FOUND');
    expect(response.body.data).toBeNull();
    expect(response.body.errors[0].path).toEqual(['b']);
    expect(await exists('/gone')).toBe(false);
  });

  test('are all rolled back when reading the result fails', async () => {
    const query = `mutation { ${create('a', '/', 'half').replace('{ path }', '{ children(pageSize: -2) { entries { uid } } }')} }`;
    expect(codeOf(await post(query))).toBe('INVALID');
    expect(await exists('/half')).toBe(false);
  });
});

describe('/graphql errors', () => {
  test('name an unknown field of a variable without a suggestion, and its name only in part', async () => {
    const query = 'mutation ($ace: NewAce!) { addAce(path: "/", ace: $ace) { uid } }';
    const { body, text } = await post(query, {
      ace: { username: 'ann', permission: 'Read', permissions: 1, ['x'.repeat(900_000)]: 1 },
    });
    const [near, long] = body.errors;
    expect(near.message).toBe(
      'Variable "$ace" got invalid value an object; Field "permissions" is not defined by type "NewAce".',
    );
    expect(long.message).toContain('; Field "xxx');
    expect(text.length).toBeLessThan(2_000);
  });

  test('name 100 faults of variables, each without the value that has it', async () => {
    const query = 'mutation ($ace: NewAce!) { addAce(path: "/", ace: $ace) { uid } }';
    const names = Array.from({ length: 9_000 }, (_, index) => [`name${index}`, 'v'.repeat(50)]);
    const ace = { username: 'ann', permission: 'Read', ...Object.fromEntries(names) };
    const { body, text } = await post(query, { ace });
    expect(body.errors).toHaveLength(101);
    expect(body.errors[0]).toMatchObject({
      message: expect.stringContaining('got invalid value an object; Field "name0" is not defined'),
      extensions: { code: 'INVALID' },
    });
    expect(body.errors[100].message).toBe('The variables may contain further errors.');
    expect(text.length).toBeLessThan(50_000);
  });

  test('name the place of an invalid variable, and quote a value that is not an object', async () => {
    const query = 'query ($ids: [ID!]!) { documents(ids: $ids) { uid } }';
    const { body } = await post(query, { ids: ['a', null] });
    expect(body.errors).toEqual([
      expect.objectContaining({
        message:
          'Variable "$ids" got invalid value null at "ids.1"; Expected non-nullable type "ID!" not to be null.',
      }),
    ]);
  });

  const folder = '{name: "x", type: "Folder"}';

  test.each([
    ['INVALID', '{ document { uid } }'],
    ['INVALID', '{ document(path: "/") { children(pageSize: -2) { total: resultsCount } } }'],
    [
      'INVALID',
      'mutation { createDocument(parentPath: "/", document: {name: "x", type: "nosuch"}) { uid } }',
    ],
    ['FORBIDDEN', 'mutation { deleteDocument(path: "/") }'],
    ['PRECONDITION_FAILED', 'mutation { deleteDocument(path: "/default-domain", ifMatch: ["9-9"]) }'],
    ['STALE', 'mutation { updateDocument(path: "/", document: {changeToken: "9-9"}) { uid } }'],
    ['NOT_FOUND', `mutation { createDocument(parentPath: "/nosuch", document: ${folder}) { uid } }`],
    ['GRAPHQL_VALIDATION_FAILED', '{ nosuch }'],
    ['GRAPHQL_PARSE_FAILED', '{ document('],
    ['GRAPHQL_PARSE_FAILED', `{ ${'__typename '.repeat(2_001)} }`],
    ['OPERATION_RESOLUTION_FAILURE', 'query a { __typename } query b { __typename }'],
    ['BAD_REQUEST', undefined],
  ])('have the code %s for %.80s, which the documentation has', async (code, query) => {
    expect(await readFile('docs/graphql.md', 'utf8')).toContain(`\`${code}\``);
    const response = await post(query);
    expect(codeOf(response)).toBe(code);
    for (const value of Object.values(response.body.data ?? {})) expect(value).toBeNull();
    expect(JSON.stringify(response.body)).not.toMatch(/stack|\.ts:/);
  });

  test('list the violations of a constraint', async () => {
    const query = 'mutation ($d: NewDocument!) { createDocument(parentPath: "/", document: $d) { uid } }';
    const response = await post(query, {
      d: { name: 'x', type: 'File', properties: { 'dc:nature': 'nosuch' } },
    });
    expect(codeOf(response)).toBe('UNPROCESSABLE');
    expect(response.body.errors[0].extensions.violations).toEqual([
      expect.objectContaining({ constraint: 'directoryResolver', invalidValue: 'nosuch' }),
    ]);
  });

  test('mask unexpected errors, which are logged', async () => {
    await using own = await startServer();
    const send = (query: string) => own.request.post('/graphql').send({ query });
    await own.database.prisma.$executeRawUnsafe('ALTER TABLE document RENAME TO gone');
    for (const query of ['{ document(path: "/") { uid } }', 'mutation { deleteDocument(path: "/x") }']) {
      const response = await send(query);
      expect(codeOf(response)).toBe('INTERNAL_SERVER_ERROR');
      expect(response.body.errors[0].message).toBe('Internal Server Error');
      expect(response.text).not.toMatch(/relation|prisma|stack|\.ts/i);
    }
    expect(own.logged.filter(({ msg }) => msg === 'unexpected error')).toHaveLength(2);
  });
});

test.each(['{"query":', '\xe9', '{}', '[]'])('the body %j of /graphql is INVALID', async (body) => {
  const sent = server.request
    .post('/graphql')
    .type('application/json')
    .serialize((raw) => raw);
  expect(codeOf(await sent.send(Buffer.from(body, 'latin1') as never).expect(400))).toBe('INVALID');
});

describe('Access to /graphql', () => {
  const queries = ['{ document(path: "/") { uid } }', '{ __schema { types { name } } }', '{ nosuch }', '{'];

  test('is 401 without credentials', async () => {
    for (const query of queries) {
      const response = await server.anonymous.post('/graphql').send({ query }).expect(401);
      expect(response.headers['www-authenticate']).toMatch(/^Basic /);
      expect(codeOf(response)).toBe('UNAUTHENTICATED');
    }
    await server.anonymous.get('/graphql').set('Accept', 'text/html').expect(401);
  });

  test('is 403 for users who are no administrators, without any details of the schema', async () => {
    const passwordHash = await hashPassword('secret');
    await server.database.prisma.user.create({ data: { id: 'alice', passwordHash } });
    for (const query of [...queries, 'mutation { deleteDocument(path: "/default-domain") }']) {
      const sent = server.anonymous.post('/graphql').auth('alice', 'secret').send({ query });
      const message = 'Only administrators can do this; alice is not one.';
      expect((await sent.expect(403)).body).toEqual({
        errors: [{ message, extensions: { code: 'FORBIDDEN' } }],
      });
    }
    expect(await exists('/default-domain')).toBe(true);
  });
});

describe('/graphql and the number of statements', () => {
  const query = `query ($path: String!) {
    document(path: $path) { children(pageSize: 50) { entries { uid children { resultsCount entries { uid } } } } }
  }`;

  /** A folder with `count` folders, each with one folder inside. */
  async function folders(name: string, count: number): Promise<void> {
    await createDocument(server, { parent: '/', name, type: 'Folder' });
    for (let index = 0; index < count; index += 1) {
      await createDocument(server, { parent: `/${name}`, name: `f${index}`, type: 'Folder' });
      await createDocument(server, { parent: `/${name}/f${index}`, type: 'Folder' });
    }
  }

  test('grandchildren of 30 folders cost as much as those of 3', async () => {
    await folders('few', 3);
    await folders('many', 30);
    const few = await post(query, { path: '/few' }).expect(200);
    const many = await post(query, { path: '/many' }).expect(200);
    for (const [{ body }, count] of [
      [few, 3],
      [many, 30],
    ] as const) {
      const { entries } = body.data.document.children;
      expect(entries).toHaveLength(count);
      for (const { children } of entries) expect(children.resultsCount).toBe(1);
    }
    expect(statements(many)).toBe(statements(few));
    expect(statements(many)).toBe(3);
  });

  test('a document that is queried twice is read once', async () => {
    const { body, headers } = await post(
      '{ a: document(path: "/") { uid } b: document(path: "/") { path } }',
    );
    expect(body.data.b.path).toBe('/');
    expect(statements({ headers })).toBe(1);
  });
});
