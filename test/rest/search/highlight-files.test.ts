import { beforeAll, describe, expect, test } from '@jest/globals';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import { runJobs } from '../../support/jobs.ts';
import { kinds } from '../../support/made-files.ts';
import { statements, useServer } from '../../support/server.ts';
import { settledFiles } from '../../support/settled.ts';
import { createBinary } from '../blobs/blob-requests.ts';

const server = useServer();

interface Highlighted extends DocumentEntity {
  readonly contextParameters: { readonly highlight: ReadonlyArray<{ field: string; segments: string[] }> };
}

const search = (words: string, pageSize = 50) =>
  server.request
    .get('/api/v1/search/pp/console_search/execute')
    .query({ ecm_fulltext: words, pageSize })
    .set('enrichers.document', 'highlight')
    .expect(200);

beforeAll(async () => {
  await runJobs(server);
  for (const kind of ['PDF', 'XLS', 'CSV', 'DOCX']) {
    const { type = '', of } = kinds[kind] ?? {};
    await createBinary(server, await (of?.('the grey pelican') ?? Buffer.alloc(0)), { mimeType: type });
  }
  const content = 'a plain text with a pelican & more';
  await createDocument(server, { properties: { 'file:content': { content, 'mime-type': 'text/plain' } } });
  await settledFiles(server);
});

describe('§4.9 the highlights of console_search', () => {
  test('mark the words in the texts of files', async () => {
    const { body } = await search('pelican');
    expect(body.entries).toHaveLength(5);
    for (const { contextParameters } of body.entries as Highlighted[])
      expect(contextParameters.highlight).toEqual([
        { field: 'file:content', segments: [expect.stringContaining('<em>pelican</em>')] },
      ]);
  });

  test('take as many statements for one file as for several', async () => {
    const [one, all] = [await search('pelican', 1), await search('pelican')];
    expect(all.body.entries.length).toBeGreaterThan(one.body.entries.length);
    expect(statements(all)).toBe(statements(one));
  });
});

describe('§4.7 the aggregates of console_search', () => {
  test('count documents by type, folder and tag, and select them', async () => {
    const folder = await createDocument(server, { type: 'Folder', name: 'aggregated' });
    const { uid } = await createDocument(server, {
      parent: folder.path,
      type: 'Note',
      properties: { 'note:note': 'osprey' },
    });
    await createDocument(server, { properties: { 'dc:description': 'osprey' } });
    await server.request
      .post('/api/v1/automation/Services.TagDocument')
      .set('svc_es_sync', 'true')
      .send({ input: uid, params: { tags: 'bird' } })
      .expect(200);
    const { body } = await search('osprey');
    const keys = (id: string) =>
      body.aggregations[id].buckets.map(({ key, docCount }: { key: string; docCount: number }) => [
        key,
        docCount,
      ]);
    expect(keys('system_primaryType_agg').sort()).toEqual([
      ['File', 1],
      ['Note', 1],
    ]);
    expect(keys('system_parentId_agg')).toContainEqual([folder.uid, 1]);
    expect(keys('system_tag_agg')).toEqual([['bird', 1]]);
    const chosen = await server.request
      .get('/api/v1/search/pp/console_search/execute')
      .query({ ecm_fulltext: 'osprey', system_parentId_agg: JSON.stringify([folder.uid]) })
      .expect(200);
    expect(chosen.body.entries.map((each: DocumentEntity) => each.uid)).toEqual([uid]);
  });
});
