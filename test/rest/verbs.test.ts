/** @group slow */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { withOperationRoutes } from '../../src/rest/automation/call-routes.ts';
import { routes as table } from '../../src/rest/routes.ts';
import { register } from '../oauth2/flow.ts';
import { authorization } from '../support/administrator.ts';
import { useServer } from '../support/server.ts';
import { useUser } from '../support/users.ts';
import { filledAddresses, queryOf } from './filled-addresses.ts';
import { isOperation } from './operation-routes.ts';
import { beginUpload, send } from './uploads/upload-requests.ts';

const routes = withOperationRoutes(table);

const shown = routes.filter(
  (route) => !isOperation(route) || /login|GetBlob|Blob\.Get|@async/.test(route.path),
);

const paths = [...new Set(shown.map(({ path }) => path))].map((path) => ({
  path,
  methods: routes.filter((route) => route.path === path).map(({ method }): string => method),
}));

/** What the fixtures have none of: executions, conversions that are over, other services and answers that are kept. */
const absent =
  /@async|^\/conversions?\/:id\/result$|^\/oauth2\/(provider|token\/client)\/|^\/automation\/files/;

const missing = '00000000-0000-0000-0000-000000000000';

describe('§4 the methods of a route', () => {
  const server = useServer();
  const { filled } = filledAddresses(server);
  useUser(server, 'bob');
  let batch: string;
  let port: number;
  beforeAll(async () => {
    batch = await beginUpload(server.request);
    await send(server.request, batch, 0, { content: 'bytes' }).expect(201);
    await register(server);
    await server.stopCallersJobs(); // lists of jobs and bulk actions stay as they are
    port = await server.listen();
  });

  /** Returns a URL of the row, below /api/v1. */
  const addressOf = (path: string): string =>
    filled(
      path
        .replace('/upload/handlers/:name', '/upload/handlers/default')
        .replace('/config/schemas/:name', '/config/schemas/dublincore')
        .replace('/config/facets/:name', '/config/facets/Folderish')
        .replace('/config/types/:name', '/config/types/File')
        .replace('/automation/:operation', '/automation/Document.Create')
        .replace('/upload/:batch/:file', '/upload/:batch/0'),
    )
      .replace(':batch', batch)
      .replace(':client', 'app')
      .replace(':language', 'NXQL')
      .replace(':model', 'SerialDocumentReview')
      .replace(':directory', 'nature')
      .replace('/*entry', '/article')
      .replace(':user', 'bob')
      .replace(':group', 'members')
      .replaceAll(/:\w+\b(?<!:content)/g, missing);

  const allowed = (headers: Record<string, string>) => (headers.allow ?? '').split(', ').sort();
  const expected = (methods: string[]) =>
    [...methods, 'options', ...(methods.includes('get') ? ['head'] : [])]
      .map((verb) => verb.toUpperCase())
      .sort();

  test.each(paths)('$path answers 405 with Allow to every other method', async ({ path, methods }) => {
    const verbs = (['get', 'post', 'put', 'delete', 'patch'] as const).filter(
      (verb) => !methods.includes(verb),
    );
    expect(verbs).toContain('patch');
    const asked = [
      ...verbs.map((verb) => [verb, '/api/v1'] as const),
      // The same table is served there, by the same handler.
      ...['/site/api/v1', '/api/v1/repo/default'].map((base) => ['patch', base] as const),
    ];
    for (const [verb, base] of asked) {
      const response = await server.request[verb](base + addressOf(path))
        .send({ any: 'body' })
        .expect(405);
      expect(allowed(response.headers)).toEqual(expected(methods));
      expect(response.body).toMatchObject({ 'entity-type': 'exception', status: 405 });
      expect(response.body.message).toContain(verb.toUpperCase());
    }
  });

  test.each(paths)('$path answers OPTIONS with its methods', async ({ path, methods }) => {
    const response = await server.request.options(`/api/v1${addressOf(path)}`).expect(204);
    expect(allowed(response.headers)).toEqual(expected(methods));
  });

  test.each(paths.filter(({ methods }) => methods.includes('get')))(
    '$path answers HEAD like GET',
    async ({ path }) => {
      const address = addressOf(path);
      const query = address.endsWith('execute') ? { query: 'SELECT * FROM File' } : queryOf(address);
      // Uncompressed, because only then is the length known in advance; some answers have the address of the server.
      const headers = { 'Accept-Encoding': 'identity', Host: 'localhost' };
      const [get, head] = [
        await server.request.get(`/api/v1${address}`).query(query).set(headers),
        await server.request.head(`/api/v1${address}`).query(query).set(headers),
      ];
      expect(head.status).toBe(get.status);
      expect([address, get.status < 400]).toEqual([address, !absent.test(path)]);
      // Probes say how long they took, in as many digits as that needs.
      if (path === '/management/probes') return;
      for (const name of ['content-type', 'content-length', 'etag', 'cache-control', 'vary'])
        expect([name, head.headers[name]]).toEqual([name, get.headers[name]]);
    },
  );

  test.each([
    ['/api/v1/path/default-domain', 200],
    ['/api/v1/path/default-domain/@children', 200],
    ['/api/v1/openapi.json', 200],
    ['/api/v1/path/nosuch', 404],
  ])('HEAD of %s sends no body', async (address, status) => {
    const socket = connect(port, '127.0.0.1');
    const lines = [
      `HEAD ${address} HTTP/1.1`,
      'Host: h',
      'Connection: close',
      `Authorization: ${authorization}`,
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    const received = await text(socket);
    expect(received).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(received.indexOf('\r\n\r\n')).toBe(received.length - 4);
  });
});
