import { expect, test } from '@jest/globals';
import { createDocument } from '../../support/documents.ts';
import { askGraphql } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { as, useUser } from '../../support/users.ts';

const server = useServer({ REPOSITORIES: 'default,archive', PRODUCT_VERSION: '2025.1' });
useUser(server, 'ann', ['members']);

test('GET /capabilities answers the version and the repositories to every user', async () => {
  const { body } = await as(server, 'ann').get('/api/v1/capabilities').expect(200);
  expect(body).toEqual({
    'entity-type': 'capabilities',
    server: { distributionName: 'Quire', distributionVersion: '2025.1', distributionServer: 'Quire' },
    cluster: { enabled: false, nodeId: '1' },
    repository: { default: { queryBlobKeys: true }, archive: { queryBlobKeys: true } },
  });
});

test('queryBlobKeys: searches take the keys of files', async () => {
  const file = { content: 'known by its key', name: 'known.txt' };
  const { uid } = await createDocument(server, { properties: { 'file:content': file } });
  const shown = await server.request.get(`/api/v1/id/${uid}`).set('properties', 'file').expect(200);
  const query = `SELECT * FROM Document WHERE ecm:blobKeys = '${shown.body.properties['file:content'].digest}'`;
  const { body } = await server.request.get('/api/v1/search/execute').query({ query }).expect(200);
  expect(body.entries.map((entry: { uid: string }) => entry.uid)).toEqual([uid]);
});

test('GET /capabilities needs credentials and takes no other method', async () => {
  await server.anonymous.get('/api/v1/capabilities').expect(401);
  await server.request.post('/api/v1/capabilities').send({}).expect(405);
});

test('GraphQL and openapi.json have the capabilities too, and they take no statement', async () => {
  const query = '{ capabilities { server { distributionVersion } cluster { nodeId } repository } }';
  expect(await askGraphql(server.request, query)).toMatchObject({
    capabilities: { server: { distributionVersion: '2025.1' }, repository: { archive: {} } },
  });
  const { body } = await as(server, 'ann').get('/api/v1/openapi.json').expect(200);
  expect(Object.keys(body.paths)).toContain('/capabilities');
  const known = await server.request.get('/api/v1/capabilities').expect(200);
  expect(statements(known)).toBe(0);
});
