import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { isInputType, validate } from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { enrichers } from '../../src/enrichers/index.ts';
import { Invalid } from '../../src/errors.ts';
import type { Shape } from '../../src/rest/headers.ts';
import { ask, createOperations } from '../../src/rest/operations.ts';
import type { Route } from '../../src/rest/route.ts';
import { routes } from '../../src/rest/routes.ts';
import { schema } from '../../src/schema/index.ts';
import type { InsideKind } from '../../src/selection.ts';
import { start, type TestServer } from '../support/server.ts';

/** Rows of operations are made alike, of a list that has tests of its own. */
const isOperation = ({ path }: Pick<Route, 'path'>): boolean =>
  /^\/automation\/(?!files)|\/@op\/|\/execute\//.test(path);

const title = ({ method, path }: Route): string => `${method.toUpperCase()} ${path}`;

const names = [{}, { document: ['acls', 'children'] }, { document: ['properties'], user: ['userprofile'] }];
const filters = [undefined, [], ['*'], ['dublincore', 'file']];

/** Every combination of what the headers of §9 may say of an answer. */
const shapes: Shape[] = [0, 1, 3].flatMap((depth) =>
  filters.flatMap((properties) =>
    names.flatMap((enrichers) =>
      names.flatMap((fetch) =>
        [{}, { directoryentry: ['label'] }].map((translate) => ({
          depth,
          properties,
          enrichers,
          fetch,
          translate,
        })),
      ),
    ),
  ),
);

describe('the table of routes', () => {
  test('has no two rows of one method and path', () => {
    expect(new Set(routes.map(title)).size).toBe(routes.length);
  });

  test('calls each row by a name of its own, but for rows alike, and says what it does', () => {
    const own = routes.filter(({ alike }) => alike === undefined).map(({ name }) => name);
    const shared = new Set(
      routes.flatMap(({ alike, method, name }) => (alike ? `${name} ${method} ${alike}` : [])),
    );
    const names = [...own, ...[...shared].map((text) => text.split(' ')[0])];
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z][A-Za-z0-9]+$/);
    for (const { summary } of routes) expect(summary).toMatch(/^[A-Z].{3,110}[^.]$/);
  });

  test.each(routes.map((route) => [title(route), route] as const))(
    '%s asks what the schema has, under every shape',
    (_, route) => {
      const asked = new Set<string>();
      for (const shape of isOperation(route) ? shapes.filter((_, index) => index % 40 === 0) : shapes) {
        const { operation } = ask(schema, route, shape);
        // Most shapes make no difference to most routes.
        const text = JSON.stringify(operation.document);
        if (asked.has(text)) continue;
        asked.add(text);
        const [definition] = operation.document.definitions;
        expect(validate(schema, operation.document)).toEqual([]);
        expect(definition).toMatchObject({ selectionSet: { selections: [expect.anything()] } });
        for (const type of operation.inputs.values()) expect(isInputType(type)).toBe(true);
        // A body is read exactly where the operation wants one.
        const inputs = [...operation.inputs.keys()];
        expect(
          inputs.every((name) => /^(address|query|body)\.|^(path|xpath|body|ifMatch|parameters)$/.test(name)),
        ).toBe(true);
        if (isOperation(route)) expect(inputs).not.toContain('body');
        else expect(inputs.includes('body')).toBe(route.body !== undefined);
      }
    },
  );

  test('documents and users inside of others are asked for as deep as the shape says, and no deeper', () => {
    const shape: Shape = {
      ...{ depth: 3, properties: undefined, translate: {} },
      enrichers: { document: enrichers.document.map(({ name }) => name) },
      fetch: { document: ['properties', 'username'], acls: ['extended'], directoryentry: ['parent'] },
    };
    const [route] = routes as [Route];
    for (const depth of [0, 1, 3]) {
      const { inside } = ask(schema, route, { ...shape, depth });
      for (const kinds of [['document'], ['user'], ['document', 'user']] as InsideKind[][]) {
        for (let level = 1; level <= depth + 1; level += 1) {
          const { operation } = inside(level, kinds);
          expect(validate(schema, operation.document)).toEqual([]);
          expect(isCompiledQuery(compileQuery(schema, operation.document))).toBe(true);
        }
        expect(() => inside(depth + 2, kinds)).toThrow(`nothing is ${depth + 2} levels inside`);
      }
    }
  });

  test.each(routes.map((route) => [title(route), route] as const))(
    '%s can be compiled to code',
    (_, route) => {
      const shape: Shape = { depth: 3, properties: ['dublincore'], enrichers: {}, fetch: {}, translate: {} };
      expect(isCompiledQuery(compileQuery(schema, ask(schema, route, shape).operation.document))).toBe(true);
    },
  );

  test('reads are queries, writes mutations, with the statuses of §4', () => {
    const kinds = {
      get: ['query', 200],
      post: ['mutation', 201],
      put: ['mutation', 200],
      delete: ['mutation', 204],
    };
    // Leaving a group answers with the user (§4.3); so existing clients know uploads through a handler (§4.7).
    const left = (path: string) => /user.*group|group.*user/.test(path);
    for (const { method, path, kind, status } of routes.filter((route) => !isOperation(route))) {
      const isAnswered200 = (method === 'delete' && left(path)) || path === '/upload/new/:handler';
      const expected = isAnswered200 ? ['mutation', 200] : kinds[method];
      expect([path, kind, status]).toEqual([path, ...expected]);
    }
  });

  test('operations are called by POST and answer 200; those that only read are queries', () => {
    const calls = routes.filter((route) => isOperation(route) && route.method === 'post');
    expect(calls.map(({ status }) => status)).toEqual(calls.map(() => 200));
    const kindOf = (path: string) => calls.find((route) => route.path === path)?.kind;
    expect(kindOf('/automation/Document.GetBlob')).toBe('query');
    expect(kindOf('/id/:id/@op/Blob.Get')).toBe('query');
    expect(kindOf('/automation/Document.Create')).toBe('mutation');
    expect(kindOf('/automation/login')).toBe('query');
  });

  test('only the single things of §4.5 and §4.6 are missing with 204', () => {
    const absent = routes.filter(({ absent }) => absent !== undefined).map(title);
    expect(absent.filter((row) => !row.startsWith('GET /directory/:'))).toEqual([
      'GET /config/facets/:name',
      'GET /config/schemas/:name',
      'GET /config/types/:name',
    ]);
  });

  test('every body that is no entity is refused with words', () => {
    const bodies = [undefined, null, 1, 'text', [], {}, { 'entity-type': 'nosuch' }, { 'entity-type': 1 }];
    for (const route of routes.filter(({ body }) => body)) {
      // What an operation is given need be no entity, nor anything at all.
      const wrong = isOperation(route) ? bodies.slice(0, 5) : bodies;
      for (const body of wrong) expect(() => route.body?.(body)).toThrow(Invalid);
    }
  });
});

describe('operations', () => {
  test('one is compiled once for each route and shape', () => {
    const operations = createOperations(schema);
    const [first, second] = routes as [Route, Route];
    const shape: Shape = { depth: 1, properties: undefined, enrichers: {}, fetch: {}, translate: {} };
    expect(operations(first, { ...shape })).toBe(operations(first, { ...shape }));
    expect(operations(second, shape)).not.toBe(operations(first, shape));
    expect(operations(first, { ...shape, properties: ['uid'] })).not.toBe(operations(first, shape));
    expect(operations(first, { ...shape, properties: [] })).not.toBe(operations(first, shape));
    expect(operations(first, { ...shape, depth: 0 })).not.toBe(operations(first, shape));
  });
});

/** An address of the row, below /api/v1. */
const addressOf = (path: string): string =>
  path
    .replace('{/*path}', '/default-domain')
    .replace('/*xpath', '/file:content')
    .replace(':name', 'File')
    .replaceAll(/:\w+/g, '00000000-0000-0000-0000-000000000000');

const shown = routes.filter(
  (route) => !isOperation(route) || /login|GetBlob|Blob\.Get|@async/.test(route.path),
);

const paths = [...new Set(shown.map(({ path }) => path))].map((path) => ({
  path,
  methods: routes.filter((route) => route.path === path).map(({ method }): string => method),
}));

describe('§4 verbs', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.stop());

  const allowed = (headers: Record<string, string>) => (headers.allow ?? '').split(', ').sort();
  const expected = (methods: string[]) =>
    [...methods, 'options', ...(methods.includes('get') ? ['head'] : [])]
      .map((verb) => verb.toUpperCase())
      .sort();

  test.each(paths)('$path: 405 with Allow for every verb it does not take', async ({ path, methods }) => {
    const verbs = (['get', 'post', 'put', 'delete', 'patch'] as const).filter(
      (verb) => !methods.includes(verb),
    );
    expect(verbs).toContain('patch');
    for (const base of ['/api/v1', '/site/api/v1', '/api/v1/repo/default']) {
      for (const verb of verbs) {
        const response = await server.request[verb](base + addressOf(path))
          .send({ any: 'body' })
          .expect(405);
        expect(allowed(response.headers)).toEqual(expected(methods));
        expect(response.body).toMatchObject({ 'entity-type': 'exception', status: 405 });
        expect(response.body.message).toContain(verb.toUpperCase());
      }
    }
  });

  test.each(paths)('$path: OPTIONS tells the verbs', async ({ path, methods }) => {
    const response = await server.request.options(`/api/v1${addressOf(path)}`).expect(204);
    expect(allowed(response.headers)).toEqual(expected(methods));
  });

  test.each(paths.filter(({ methods }) => methods.includes('get')))(
    '$path: HEAD answers as GET does, without a body',
    async ({ path }) => {
      // Uncompressed, since only then is the length known before the body is.
      const plain = { 'Accept-Encoding': 'identity' };
      const get = await server.request.get(`/api/v1${addressOf(path)}`).set(plain);
      const head = await server.request
        .head(`/api/v1${addressOf(path)}`)
        .set(plain)
        .expect(get.status);
      expect(head.text ?? '').toBe('');
      for (const name of ['content-type', 'content-length', 'etag', 'cache-control', 'vary']) {
        if (get.status < 400) expect([name, head.headers[name]]).toEqual([name, get.headers[name]]);
      }
    },
  );
});
