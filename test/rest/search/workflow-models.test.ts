import { beforeAll, describe, expect, test } from '@jest/globals';
import { useServer } from '../../support/server.ts';

const server = useServer();

const found = async (query: string): Promise<string[]> => {
  const { body } = await server.request
    .get('/api/v1/search/execute')
    .query({ query, pageSize: 100 })
    .expect(200);
  return body.entries.map(({ type }: { type: string }) => type);
};

beforeAll(async () => {
  const enricher = { 'enrichers.document': 'runnableWorkflows' };
  await server.request.get('/api/v1/path/default-domain').set(enricher).expect(200); // its models become documents
});

describe('§4.7 workflow models in a search', () => {
  test.each(['Document', 'Folder', 'OrderedFolder'])('are not found FROM %s', async (type) => {
    expect((await found(`SELECT * FROM ${type}`)).filter((each) => /^DocumentRoute/.test(each))).toEqual([]);
  });

  test('are found by their own types', async () => {
    expect(new Set(await found('SELECT * FROM DocumentRoute'))).toEqual(new Set(['DocumentRoute']));
    expect(await found('SELECT * FROM Document, DocumentRouteModelsRoot')).toContain(
      'DocumentRouteModelsRoot',
    );
  });
});
