import { describe, expect, test } from '@jest/globals';
import type { Route } from '../../src/rest/route.ts';
import { routes } from '../../src/rest/routes.ts';
import { useServer } from '../support/server.ts';

/** The rows of automation operations are generated from a list that has its own tests. */
const isOperation = ({ path }: Pick<Route, 'path'>): boolean =>
  /^\/automation\/(?!files)|\/@op\/|\/execute\//.test(path);

/** Returns a URL of the row, below /api/v1. */
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

describe('§4 the methods of a route', () => {
  const server = useServer();

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

  test.each(paths)('$path answers OPTIONS with its methods', async ({ path, methods }) => {
    const response = await server.request.options(`/api/v1${addressOf(path)}`).expect(204);
    expect(allowed(response.headers)).toEqual(expected(methods));
  });

  test.each(paths.filter(({ methods }) => methods.includes('get')))(
    '$path answers HEAD like GET, without a body',
    async ({ path }) => {
      // Uncompressed, because only then is the length known in advance.
      const plain = { 'Accept-Encoding': 'identity' };
      const get = await server.request.get(`/api/v1${addressOf(path)}`).set(plain);
      const head = await server.request
        .head(`/api/v1${addressOf(path)}`)
        .set(plain)
        .expect(get.status);
      expect(head.text ?? '').toBe('');
      // Probes say how long they took, in as many digits as that needs.
      if (path === '/management/probes') return;
      for (const name of ['content-type', 'content-length', 'etag', 'cache-control', 'vary']) {
        if (get.status < 400) expect([name, head.headers[name]]).toEqual([name, get.headers[name]]);
      }
    },
  );
});
