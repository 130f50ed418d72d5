/** @group slow */
import { describe, expect, test } from '@jest/globals';
import { isInputType, validate } from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { enrichers } from '../../src/enrichers/index.ts';
import { Invalid } from '../../src/errors.ts';
import { withOperationRoutes } from '../../src/rest/automation/call-routes.ts';
import { compileRoute, createRouteCompiler } from '../../src/rest/compile-route.ts';
import type { ResponseShape } from '../../src/rest/request/headers.ts';
import type { Route } from '../../src/rest/route.ts';
import { routes as table } from '../../src/rest/routes.ts';
import { schema } from '../../src/schema/index.ts';
import { contractForms } from '../../src/selection/compatibility.ts';
import type { NestedKind } from '../../src/selection/selection.ts';
import { isOperation } from './operation-routes.ts';

const routes = withOperationRoutes(table);

/** Reads fields instead of an entity. */
const isConversion = ({ method, path }: Pick<Route, 'method' | 'path'>): boolean =>
  method === 'post' && path.endsWith('/@convert');

const title = ({ method, path }: Route): string => `${method.toUpperCase()} ${path}`;

const inputNames =
  /^(address|matrix|query|repeated|body)\.|^(path|xpath|body|ifMatch|ifNoneMatch|parameters|listed)$/;

const names = [{}, { document: ['acls', 'children'] }, { document: ['properties'], user: ['userprofile'] }];
const filters = [undefined, [], ['*'], ['dublincore', 'file']];

/** Combinations of the headers of §9 that shape an answer: every pair of values meets in one of them. */
const shapes: ResponseShape[] = Array.from({ length: 12 }, (_, index) => ({
  depth: [0, 1, 3][index % 3] ?? 0,
  properties: filters[index % 4],
  enrichers: names[((index % 3) + (index % 4)) % 3] ?? {},
  fetch: names[((index % 3) + 2 * (index % 4)) % 3] ?? {},
  translate: index % 6 < 3 ? {} : { directoryentry: ['label'] },
}));

/** The calls of each operation, whose addresses differ in where the input comes from. */
const callsOf = new Map<string, Route[]>();
for (const route of routes.filter((each) => isOperation(each) && each.method === 'post')) {
  const name = route.path.slice(route.path.lastIndexOf('/') + 1);
  if (!name.startsWith(':')) callsOf.set(name, [...(callsOf.get(name) ?? []), route]);
}

/** All rows but those calls; of each operation one, so that every address has its turn. */
const several = new Set([...callsOf.values()].flat());
const oneOfEach: Route[] = [
  ...routes.filter((route) => !several.has(route)),
  ...[...callsOf.values()].flatMap((same, index) => same[index % same.length] ?? []),
];

describe('the table of routes', () => {
  test('has unique methods and paths', () => {
    expect(new Set(routes.map(title)).size).toBe(routes.length);
  });

  test('changes nothing by GET, which pages of other sites may send', () => {
    expect(routes.filter(({ method, kind }) => method === 'get' && kind !== 'query')).toEqual([]);
  });

  test('has unique names with a description', () => {
    const own = routes.filter(({ openApiPath }) => openApiPath === undefined).map(({ name }) => name);
    const shared = new Set(
      routes.flatMap(({ openApiPath, method, name }) =>
        openApiPath ? `${name} ${method} ${openApiPath}` : [],
      ),
    );
    const names = [...own, ...[...shared].map((text) => text.split(' ')[0])];
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z][A-Za-z0-9]+$/);
    for (const { summary } of routes) expect(summary).toMatch(/^[A-Z].{3,110}[^.]$/);
  });

  test.each(routes.map((route, number) => [title(route), route, number] as const))(
    '%s compiles to valid operations, whatever the shape',
    (_, route, number) => {
      const asked = new Set<string>();
      // The routes of operations are alike: each takes its turn of the shapes.
      const some = shapes.filter((_, index) => !isOperation(route) || (index + number) % 6 === 0);
      for (const shape of some) {
        const { operation } = compileRoute({ schema, forms: contractForms }, route, shape);
        // Most shapes make no difference to most routes.
        const text = JSON.stringify(operation.document);
        if (asked.has(text)) continue;
        asked.add(text);
        const [definition] = operation.document.definitions;
        expect(validate(schema, operation.document)).toEqual([]);
        expect(definition).toMatchObject({ selectionSet: { selections: [expect.anything()] } });
        expect([...operation.inputs.values()].filter((type) => !isInputType(type))).toEqual([]);
        // A body is read exactly where the operation declares one.
        const inputs = [...operation.inputs.keys()];
        expect(inputs.filter((name) => !inputNames.test(name))).toEqual([]);
        if (isOperation(route) || isConversion(route)) expect(inputs).not.toContain('body');
        else expect(inputs.some((name) => /^body\b/.test(name))).toBe(route.body !== undefined);
      }
    },
  );

  test('nested documents and users are selected down to the depth of the shape', () => {
    const shape: ResponseShape = {
      depth: 3,
      properties: undefined,
      translate: {},
      enrichers: { document: enrichers.document.map(({ name }) => name) },
      fetch: { document: ['properties', 'username'], acls: ['extended'], directoryentry: ['parent'] },
    };
    const [route] = routes as [Route];
    for (const depth of [0, 1, 3]) {
      const { nested } = compileRoute({ schema, forms: contractForms }, route, { ...shape, depth });
      for (const kinds of [['document'], ['user'], ['document', 'user']] as NestedKind[][]) {
        for (let level = 1; level <= depth + 1; level += 1) {
          const { operation } = nested(level, kinds);
          expect(validate(schema, operation.document)).toEqual([]);
          expect(isCompiledQuery(compileQuery(schema, operation.document))).toBe(true);
        }
        expect(() => nested(depth + 2, kinds)).toThrow(`level ${depth + 2} does not exist`);
      }
    }
  });

  test.each(oneOfEach.map((route) => [title(route), route] as const))(
    '%s can be compiled to code',
    (_, route) => {
      const shape: ResponseShape = {
        depth: 3,
        properties: ['dublincore'],
        enrichers: {},
        fetch: {},
        translate: {},
      };
      expect(
        isCompiledQuery(
          compileQuery(
            schema,
            compileRoute({ schema, forms: contractForms }, route, shape).operation.document,
          ),
        ),
      ).toBe(true);
    },
  );

  test('uses queries for reads and mutations for writes, with the statuses of §4', () => {
    const kinds = {
      get: ['query', 200],
      post: ['mutation', 201],
      put: ['mutation', 200],
      delete: ['mutation', 204],
    };
    // Leaving a group answers with the user (§4.3); uploads through a handler keep their status (§4.7).
    const left = (path: string) => /user.*group|group.*user/.test(path);
    for (const { method, path, kind, status } of routes.filter((route) => !isOperation(route))) {
      const isAnswered200 =
        (method === 'delete' && left(path)) ||
        path === '/upload/new/:handler' ||
        /\/@(restore|publish|trash|untrash)$/.test(path);
      // Reads by POST, since a list of ids may be longer than an address.
      const isRead = path.endsWith('/@annotation/comments');
      const isQuiet = path === '/management/jobs/:id/run';
      const begun = path.includes('/bulk/:bulkAction') ? 202 : isQuiet ? 204 : undefined;
      const own = isAnswered200 ? 200 : begun;
      const usual = isRead ? kinds.get : own ? ['mutation', own] : kinds[method];
      const expected = isConversion({ method, path }) ? ['outsideTransaction', 200] : usual;
      expect([path, kind, status]).toEqual([path, ...expected]);
    }
  });

  test('calls operations by POST with status 200; reading ones are queries', () => {
    const calls = routes.filter((route) => isOperation(route) && route.method === 'post');
    expect(calls.map(({ status }) => status)).toEqual(calls.map(() => 200));
    const kindOf = (path: string) => calls.find((route) => route.path === path)?.kind;
    expect(kindOf('/automation/Document.GetBlob')).toBe('query');
    expect(kindOf('/id/:id/@op/Blob.Get')).toBe('query');
    expect(kindOf('/automation/Document.Create')).toBe('mutation');
    expect(kindOf('/automation/login')).toBe('query');
  });

  test('answers 204 to missing resources only in §4.5 and §4.6', () => {
    const absent = routes.filter(({ absentStatus }) => absentStatus !== undefined).map(title);
    expect(absent.filter((row) => !row.startsWith('GET /directory/:'))).toEqual([
      'GET /config/facets/:name',
      'GET /config/schemas/:name',
      'GET /config/types/:name',
    ]);
  });

  test('refuses every body that is no entity, with a message', () => {
    const accepted: unknown[] = [];
    const isRefused = (route: Route, body: unknown): boolean => {
      try {
        route.body?.(body);
        return false;
      } catch (error) {
        return error instanceof Invalid && error.message !== '';
      }
    };
    const bodies = [undefined, null, 1, 'text', [], {}, { 'entity-type': 'nosuch' }, { 'entity-type': 1 }];
    for (const route of routes.filter(({ body }) => body)) {
      // The body of an automation operation need not be an entity.
      const isBulk = route.path.includes('/bulk/:bulkAction'); // some actions are given nothing
      const wrong = isBulk ? bodies.slice(2, 5) : isOperation(route) ? bodies.slice(0, 5) : bodies;
      const isOfOptions = route.path.endsWith('/@versions'); // by default it is a minor version
      const isOfIds = route.path.endsWith('/@annotation/comments');
      const isOfFields = isConversion(route); // by default none of them is given
      for (const body of wrong.filter(
        (each, index) =>
          !((isOfIds && Array.isArray(each)) || (isOfFields && index > 4) || (isOfOptions && index > 4)),
      ))
        if (!isRefused(route, body)) accepted.push([title(route), body]);
    }
    expect(accepted).toEqual([]);
  });
});

describe('createRouteCompiler', () => {
  test('compiles an operation once for each route and shape', () => {
    const compile = createRouteCompiler({ schema, forms: contractForms });
    const [first, second] = routes as [Route, Route];
    const shape: ResponseShape = { depth: 1, properties: undefined, enrichers: {}, fetch: {}, translate: {} };
    expect(compile(first, { ...shape })).toBe(compile(first, { ...shape }));
    expect(compile(second, shape)).not.toBe(compile(first, shape));
    expect(compile(first, { ...shape, properties: ['uid'] })).not.toBe(compile(first, shape));
    expect(compile(first, { ...shape, properties: [] })).not.toBe(compile(first, shape));
    expect(compile(first, { ...shape, depth: 0 })).not.toBe(compile(first, shape));
  });
});
