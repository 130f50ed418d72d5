import { describe, expect, test } from '@jest/globals';
import { startServer, useServer } from '../support/server.ts';

const server = useServer({ CONTEXT_PATH: '/nuxeo', REPOSITORIES: 'main,archive' });

test('GET /runningstatus is answered below the application context only', async () => {
  await server.anonymous.get('/nuxeo/runningstatus').expect(200, { status: 'up' });
  await server.anonymous.get('/runningstatus').expect(404);
});

describe('GET /json/cmis', () => {
  test('describes each repository and `default`, without credentials', async () => {
    const { body } = await server.anonymous.get('/nuxeo/json/cmis').expect(200);
    expect(Object.keys(body).sort()).toEqual(['archive', 'default', 'main']);
    for (const [repositoryId, described] of Object.entries(body)) {
      expect(described).toMatchObject({ repositoryId, productName: 'Quire', productVersion: '2023.5' });
    }
  });

  test('is answered with any credentials', async () => {
    await server.anonymous.get('/nuxeo/json/cmis').auth('nobody', 'x').expect(200);
    await server.request.get('/nuxeo/json/cmis').expect(200);
  });

  test('has the version of PRODUCT_VERSION', async () => {
    await using own = await startServer({ PRODUCT_VERSION: '2025.1' });
    const { body } = await own.anonymous.get('/json/cmis').expect(200);
    expect(body.default.productVersion).toBe('2025.1');
  });
});
