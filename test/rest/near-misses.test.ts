import { describe, expect, test } from '@jest/globals';
import { useServer } from '../support/server.ts';

const server = useServer();

type Method = 'get' | 'post' | 'put' | 'delete';

describe('§4 an address that does not exist', () => {
  test.each<[Method, string, string]>([
    ['get', '/usr', '/user'],
    ['get', '/usr/ann', '/user/ann'],
    ['get', '/users', '/user'],
    ['get', '/groups', '/group'],
    ['get', '/directories/nature', '/directory/nature'],
    ['get', '/config/type', '/config/types'],
    ['get', '/path/default-domain/@permissions', '/path/default-domain/@acl'],
    ['get', '/path/default-domain/@version', '/path/default-domain/@versions'],
    ['put', '/path/default-domain/@tag/urgent', '/path/default-domain/@tags/urgent'],
    ['get', '/path/default-domain/@history', '/path/default-domain/@audit'],
    ['get', '/repo/default/path/default-domain/@child', '/repo/default/path/default-domain/@children'],
    ['get', '/id/x/children', '/id/x/@children'],
    ['get', '/documents/default-domain', '/path/default-domain'],
    ['get', '/search', '/search/pp'],
  ])('%s %s is answered with %s', async (method, address, meant) => {
    const { body } = await server.request[method](`/api/v1${address}`).expect(404);
    expect(body.message).toBe(`There is no resource at /api/v1${address}. Did you mean /api/v1${meant}?`);
  });

  test('names the method too where that of the request is not served', async () => {
    const { body } = await server.request.post('/api/v1/config/facet').send({}).expect(404);
    expect(body.message).toBe(
      'There is no resource at /api/v1/config/facet. Did you mean GET /api/v1/config/facets?',
    );
  });

  test.each([`/${'x'.repeat(5_000)}`, `/x${'/usr'.repeat(500)}`, '/zzz', '/path/default-domain/@qqqqqq'])(
    'is named without a proposal where nothing is like it: %.20s',
    async (address) => {
      const { body } = await server.request.get(`/api/v1${address}`).expect(404);
      expect(body.message).toBe(`There is no resource at ${`/api/v1${address}`.slice(0, 500)}.`);
    },
  );
});

describe('§4 a method that an address does not have', () => {
  test('is answered with those that it has, and what they do', async () => {
    const { body, headers } = await server.request
      .put('/api/v1/path/default-domain/@acl')
      .send({})
      .expect(405);
    expect(body.message).toBe(
      'PUT is not supported at /api/v1/path/default-domain/@acl. The supported methods are GET (The ACLs of a document, including inherited ones), POST (Grant or deny a permission on a document to a user, a group or a guest).',
    );
    expect(headers.allow).toBe('GET, POST, OPTIONS, HEAD');
  });
});
