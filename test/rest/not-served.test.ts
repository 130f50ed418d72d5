import { describe, expect, test } from '@jest/globals';
import { useServer } from '../support/server.ts';

const server = useServer();

describe('§4 what clients of the reference implementation find not to be served', () => {
  test.each([
    ['get', '/site/es/nuxeo/_search'],
    ['post', '/site/es/nuxeo/_search'],
    ['post', '/site/automation/batch/upload'],
    ['get', '/api/v1/path/default-domain/@delete'],
    ['get', '/api/v1/doc'],
    ['get', '/api/v1/ext/anything'],
    ['get', '/api/v1/search/pp/permissions_purge/execute'],
    ['get', '/api/v1/search/pp/PERMISSIONS_SEARCH/execute'],
    ['get', '/api/v1/search/pp/DOC_ROUTING_SEARCH_ALL_ROUTE_MODELS/execute'],
  ] as const)('%s %s is 404', async (method, path) => {
    await server.request[method](path)
      .send(method === 'post' ? {} : undefined)
      .expect(404);
    await server.request.get('/api/v1/path/default-domain').expect(200);
  });

  test('the headers of a portal are no credentials', async () => {
    const headers = { NX_TS: String(Date.now()), NX_RD: '1', NX_USER: 'Administrator', NX_TOKEN: 'x' };
    const { body } = await server.anonymous.get('/api/v1/me').set(headers).expect(401);
    expect(body).toMatchObject({ 'entity-type': 'exception', status: 401 });
  });
});
