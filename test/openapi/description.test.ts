import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { operations } from '../../src/automation/index.ts';
import { stockModel } from '../../src/model/contributed/contributed.ts';
import { createModel } from '../../src/model/create-model.ts';
import { printedOpenApi } from '../../src/openapi/description.ts';
import { withOperationRoutes } from '../../src/rest/automation/call-routes.ts';
import { contributedNames } from '../../src/rest/contributed-names.ts';
import type { Route } from '../../src/rest/route.ts';
import { routes as table } from '../../src/rest/routes.ts';
import { schema } from '../../src/schema/index.ts';
import { type Description, follow, operationsOf, pointersIn } from '../support/described.ts';
import { useServer } from '../support/server.ts';
import { as, createUser } from '../support/users.ts';

const routes = withOperationRoutes(table);

const file = new URL('../../openapi.json', import.meta.url);
const text = await readFile(file, 'utf8');
const description: Description = JSON.parse(text);
const all = operationsOf(description);

/** Returns a URL of a path, with a value for each parameter. */
const sampleOf = (path: string): string =>
  path
    .replace(/\{?\/\*\w+\}?/g, '/some')
    .replace(/:operation|\{operation\}/, 'Blob.Get')
    .replaceAll(/:\w+|\{\w+\}/g, 'some');

describe('openapi.json', () => {
  test('is up to date with `npm run print`', () => {
    const contributed = contributedNames(createModel(stockModel));
    expect(text).toBe(printedOpenApi({ schema, contributed }));
  });

  test('passes the Redocly linter', async () => {
    const redocly = new URL('../../node_modules/@redocly/cli/bin/cli.js', import.meta.url).pathname;
    // The local server is intended; one URL of automation is ambiguous, and its first meaning applies.
    const known = ['no-server-example.com', 'no-ambiguous-paths'].flatMap((rule) => ['--skip-rule', rule]);
    const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [redocly, 'lint', file.pathname, '--format', 'json', ...known],
      { env: { PATH: process.env.PATH, HOME: process.env.HOME, ...quiet } },
    ).catch((failed: { stdout: string }) => failed);
    expect(JSON.parse(stdout)).toMatchObject({ totals: { errors: 0, warnings: 0 }, problems: [] });
  });

  const matching = Object.keys(description.paths).map((path) => ({
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    methods: Object.keys(description.paths[path] ?? {}),
  }));
  const isDescribed = ({ method, path }: Pick<Route, 'method' | 'path'>): boolean =>
    matching.some(({ pattern, methods }) => pattern.test(sampleOf(path)) && methods.includes(method));

  test('describes every route', () => {
    expect(routes.filter((route) => !isDescribed(route)).map(({ path }) => path)).toEqual([]);
  });

  test('describes every operation with exactly its parameters', () => {
    for (const { id, params, description: says } of operations) {
      const operation = description.paths[`/automation/${id}`]?.post;
      expect(operation?.description).toContain(says);
      const pointer = String(operation?.requestBody?.content['application/json']?.schema?.$ref);
      const call = follow(description, pointer) as { properties: { params: { properties: object } } };
      expect(Object.keys(call.properties.params.properties)).toEqual(Object.keys(params));
    }
  });

  test('has unique operation ids, descriptions and tags', () => {
    expect(new Set(all.map(({ operation }) => operation.operationId)).size).toBe(all.length);
    const tags = new Set(description.tags.map(({ name }) => name));
    for (const { operation } of all) {
      expect(operation.summary).toMatch(/^[A-Z]/);
      expect(operation.tags.filter((tag) => !tags.has(tag))).toEqual([]);
    }
    expect(new Set(all.flatMap(({ operation }) => operation.tags))).toEqual(tags);
  });

  test('describes the path parameters of every URL', () => {
    for (const { path, operation } of all) {
      const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
      expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
      for (const parameter of inPath) expect(parameter).toMatchObject({ description: expect.any(String) });
    }
  });

  test('has no broken references and no unused components', () => {
    const pointers = pointersIn(description);
    expect(pointers.filter((pointer) => follow(description, pointer) === undefined)).toEqual([]);
    const { securitySchemes: _, ...components } = description.components;
    const parts = Object.entries(components).flatMap(([kind, named]) =>
      Object.keys(named).map((name) => `#/components/${kind}/${name}`),
    );
    expect(parts.filter((part) => !pointers.includes(part))).toEqual([]);
  });

  test('lists the headers that affect each operation', () => {
    const headersOf = (path: string, method: string) =>
      (description.paths[path]?.[method]?.parameters ?? []).flatMap(
        ({ $ref }) => $ref?.split('/').at(-1) ?? [],
      );
    expect(headersOf('/id/{id}', 'get')).toEqual(
      expect.arrayContaining(['properties', 'enrichers.document', 'fetch.document', 'depth', 'Repository']),
    );
    expect(headersOf('/id/{id}', 'get')).not.toContain('X-Versioning-Option');
    expect(headersOf('/id/{id}', 'put')).toEqual(
      expect.arrayContaining(['X-Versioning-Option', 'If-Match', 'Idempotency-Key', 'X-SvcVoidOperation']),
    );
    for (const path of ['/automation', '/path/{path}/@op', '/id/{id}/@op'])
      expect(headersOf(`${path}/{operation}`, 'post')).toEqual(
        expect.arrayContaining(headersOf('/automation/Document.Copy', 'post')),
      );
    expect(headersOf('/group/{group}', 'get')).toContain('fetch.group');
    expect(headersOf('/group/{group}', 'put')).not.toContain('X-Versioning-Option');
    expect(headersOf('/config/schemas/{name}', 'get')).toEqual(expect.arrayContaining(['fetch.schema']));
    expect(headersOf('/token', 'get')).not.toContain('depth');
    // Of the documents and users inside.
    const ofInside = ['properties', 'enrichers.document', 'enrichers.user', 'fetch.document'];
    for (const path of ['/task/{task}', '/workflow', '/id/{id}/@task', '/id/{id}', '/path/{path}/@children'])
      expect(headersOf(path, 'get')).toEqual(expect.arrayContaining(ofInside));
    expect(headersOf('/config/schemas/{name}', 'get')).not.toContain('enrichers.user');
    expect(headersOf('/directory/{directory}', 'get')).not.toContain('fetch.document');
  });

  test('requires only the id of nested documents, and all fixed fields of others', () => {
    const required = (name: string) => description.components.schemas?.[name]?.required;
    expect(required('NestedDocument')).toEqual(['entity-type', 'uid']);
    expect(required('Document')).toEqual(expect.arrayContaining(['uid', 'path', 'properties', 'facets']));
    expect(required('Document')).not.toEqual(expect.arrayContaining(['contextParameters']));
    expect(required('DocumentContext')).toBeUndefined();
    expect([required('Acl'), required('AclsAcl')]).toEqual([
      ['name', 'aces'],
      ['name', 'ace'],
    ]);
    expect(description.components.schemas?.NestedDocumentList).toMatchObject({
      properties: { entries: { items: { $ref: '#/components/schemas/NestedDocument' } } },
    });
  });
});

describe('GET /openapi.json', () => {
  const server = useServer({
    CONTEXT_PATH: '/nuxeo',
    PUBLIC_URL: 'https://content.example.org',
    ADMIN_PASSWORD: 'another',
  });
  const address = '/nuxeo/api/v1/openapi.json';

  test('is the same except for the URL of the server', async () => {
    const { body } = await server.request
      .get(address)
      .expect(200)
      .expect('Content-Type', /^application\/json/);
    expect(body).toEqual({
      ...description,
      servers: [{ url: 'https://content.example.org/nuxeo/api/v1' }],
    });
  });

  test('omits operations of administrators for other users', async () => {
    await createUser(server, 'bob');
    const { body } = await as(server, 'bob').get(address).expect(200);
    const own = operations.filter(({ isForAdministrators }) => isForAdministrators);
    expect(own.length).toBeGreaterThan(0);
    for (const { id } of own) {
      expect(text).toContain(`"${id}"`);
      expect(JSON.stringify(body)).not.toContain(id);
    }
    expect(body.paths['/automation/Document.Create']).toEqual(
      description.paths['/automation/Document.Create'],
    );
  });

  test('requires credentials and answers 405 to other methods than GET', async () => {
    await server.anonymous.get(address).expect(401);
    await server.request.post(address).send({}).expect(405).expect('Allow', 'GET, OPTIONS, HEAD');
    await server.request.head(address).expect(200);
  });

  test('describes only methods that the server accepts', async () => {
    for (const { path, method } of all) {
      const { headers } = await server.request.options(`/nuxeo/api/v1${sampleOf(path)}`).expect(204);
      expect(`${path}: ${headers.allow}`).toContain(method.toUpperCase());
    }
  });
});
