import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { start, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await start({ CONTEXT_PATH: '/nuxeo', REPOSITORIES: 'main,archive' });
});
afterAll(() => server.stop());

test('GET /runningstatus, where clients ask whether a server is there: below the application context', async () => {
  await server.anonymous.get('/nuxeo/runningstatus').expect(200, { status: 'up' });
  await server.anonymous.get('/runningstatus').expect(404);
});

describe('GET /json/cmis', () => {
  test('tells everybody the version, for each repository and for `default`', async () => {
    const { body } = await server.anonymous.get('/nuxeo/json/cmis').expect(200);
    expect(Object.keys(body).sort()).toEqual(['archive', 'default', 'main']);
    for (const [repositoryId, described] of Object.entries(body)) {
      expect(described).toMatchObject({ repositoryId, productName: 'Quire', productVersion: '2023.5' });
    }
  });

  test('whatever credentials come with it', async () => {
    await server.anonymous.get('/nuxeo/json/cmis').auth('nobody', 'x').expect(200);
    await server.request.get('/nuxeo/json/cmis').expect(200);
  });

  test('in the words of PRODUCT_VERSION', async () => {
    const own = await start({ PRODUCT_VERSION: '2025.1' });
    try {
      const { body } = await own.anonymous.get('/json/cmis').expect(200);
      expect(body.default.productVersion).toBe('2025.1');
    } finally {
      await own.stop();
    }
  });
});
