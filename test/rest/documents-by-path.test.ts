import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { start, statements, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await start();
});
afterAll(() => server.stop());

describe('§4.1 Documents by path', () => {
  test('GET answers 200 and the document in at most two statements', async () => {
    const response = await server.request.get('/api/v1/path/default-domain').expect(200);
    expect(response.body).toMatchObject({
      'entity-type': 'document',
      path: '/default-domain',
      type: 'Domain',
    });
    expect(statements(response)).toBeLessThanOrEqual(2);
  });
});
