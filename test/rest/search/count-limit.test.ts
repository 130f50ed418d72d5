import { beforeAll, describe, expect, test } from '@jest/globals';
import { setAcl } from '../../support/acls.ts';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { settledFiles } from '../../support/settled.ts';
import { useUser } from '../../support/users.ts';

const server = useServer({ SEARCH_COUNT_LIMIT: '10' });
const ann = useUser(server, 'ann');
let folder: DocumentEntity;

const query = (most: number) =>
  `SELECT * FROM File WHERE ecm:parentId = '${folder.uid}' AND ecm:pos IS NULL AND uid:major_version < ${most}
   ORDER BY ecm:name`;

const search = (requests: typeof ann, given: Record<string, unknown> = {}) =>
  requests.get('/api/v1/search/execute').query({ query: query(100), pageSize: 4, ...given });

beforeAll(async () => {
  folder = await createDocument(server, { type: 'Folder' });
  await setAcl(server, folder.path, [{ username: 'ann', permission: 'Read' }]);
  for (let index = 0; index < 11; index += 1) {
    const properties = { 'dc:title': 'many', 'dc:nature': index % 2 === 0 ? 'letter' : 'report' };
    await createDocument(server, {
      parent: folder.path,
      name: `file-${String(index).padStart(2, '0')}`,
      properties,
    });
  }
  await server.request
    .get('/api/v1/search/execute')
    .query({ query: query(1) })
    .expect(200);
  await server.database.query({ name: '', text: 'ANALYZE search_document' }, []);
});

describe('§2.2, §4.7 a search with more hits than are counted', () => {
  test.each(['administrator', 'ann'])('says so, with the limit and an estimate, to %s', async (caller) => {
    const requests = caller === 'ann' ? ann : server.request;
    const { body } = await search(requests).expect(200);
    expect(body).toMatchObject({
      resultsCount: -2,
      resultsCountLimit: 10,
      totalSize: -2,
      numberOfPages: 0,
      isNextPageAvailable: true,
      isLastPageAvailable: false,
    });
    expect(body.resultsCountEstimate).toBe(11); // All hits are collected up to three times the limit.
    expect(body.entries).toHaveLength(4);
  });

  test('estimates those below a folder by how many there are', async () => {
    const count = 40; // more than are collected
    const { path } = await createDocument(server, { type: 'Folder' });
    for (let nth = 0; nth < count; nth += 1) await createDocument(server, { parent: path });
    await search(server.request).expect(200); // waits until they are in the index
    await server.database.query({ name: '', text: 'ANALYZE search_document' }, []);
    const types = [...server.model.types.keys()].join(', '); // all, of which no share is to be estimated
    const below = `SELECT * FROM ${types} WHERE ecm:path STARTSWITH '${path}'`;
    const { body } = await search(server.request, { query: below }).expect(200);
    expect(body.resultsCount).toBe(-2);
    expect(Math.abs(body.resultsCountEstimate - count)).toBeLessThan(3);
  });

  test('is paged to its end', async () => {
    const names: string[] = [];
    for (let currentPageIndex = 0; ; currentPageIndex += 1) {
      const { body } = await search(server.request, { currentPageIndex }).expect(200);
      names.push(...body.entries.map(({ path }: DocumentEntity) => path.slice(folder.path.length + 1)));
      if (!body.isNextPageAvailable) break;
    }
    expect(names).toEqual(Array.from({ length: 11 }, (_, index) => `file-${String(index).padStart(2, '0')}`));
  });

  test('counts the documents of Document.FetchByProperty that all come, and else tells the limit', async () => {
    const fetched = async (description: string) =>
      (
        await call(server.request, 'Document.FetchByProperty', {
          params: { property: 'dc:description', values: [description] },
        }).expect(200)
      ).body;
    const one = await createDocument(server, { properties: { 'dc:description': 'sought' } });
    const row = await server.database.prisma.document.findFirstOrThrow({ where: { id: one.uid } });
    const add = async (count: number) => {
      await server.database.prisma.document.createMany({
        data: Array.from({ length: count }, () => {
          const id = crypto.randomUUID();
          return {
            ...row,
            properties: { 'dc:description': 'sought' },
            id,
            name: id,
            path: `${one.path}-${id}`,
          };
        }),
      });
      await settledFiles(server); // A search waits only for the caller's own writes, and no caller wrote these.
    };
    await add(20);
    const few = await fetched('sought');
    expect(few.entries).toHaveLength(21);
    expect(few).not.toHaveProperty('resultsCount');
    expect(few).not.toHaveProperty('resultsCountLimit');
    await add(980);
    const many = await fetched('sought');
    expect(many.entries).toHaveLength(1000);
    expect(many).toMatchObject({ resultsCount: -2, resultsCountLimit: 10 });
  });

  test('ends, and is estimated to end, where maxResults above the limit says', async () => {
    const many = async (given: Record<string, unknown>) =>
      (await search(server.request, { query: all, maxResults: 14, ...given }).expect(200)).body;
    const all = `SELECT * FROM Document WHERE dc:description = 'sought' ORDER BY ecm:uuid`;
    await server.database.query({ name: '', text: 'ANALYZE search_document' }, []);
    expect(await many({ pageSize: 7 })).toMatchObject({
      resultsCount: -2,
      resultsCountEstimate: 14,
      isNextPageAvailable: true,
    });
    const last = await many({ pageSize: 7, currentPageIndex: 1 });
    expect(last.entries).toHaveLength(7);
    expect(last).toMatchObject({ resultsCountEstimate: 14, isNextPageAvailable: false });
    const select = `SELECT ecm:uuid FROM Document WHERE dc:description = 'sought' ORDER BY ecm:uuid`;
    const { body } = await call(server.request, 'Repository.ResultSetQuery', {
      params: { query: select, pageSize: 7, currentPageIndex: 1, maxResults: 14 },
    });
    expect([body.entries?.length, body.isNextPageAvailable]).toEqual([7, false]);
  });

  test('counts them when the request wants no more than the limit', async () => {
    const { body } = await search(server.request, { maxResults: 10 }).expect(200);
    expect(body).toMatchObject({ resultsCount: 10, resultsCountLimit: 10, numberOfPages: 3 });
    expect(body).not.toHaveProperty('resultsCountEstimate');
  });

  test('costs one statement more, for the estimate, which is kept', async () => {
    const asked = (text: string) => search(server.request, { query: text }).expect(200);
    const few = statements(await asked(query(99)));
    const many = `SELECT * FROM Document WHERE dc:description = 'sought' AND ecm:pos IS NULL`;
    expect([statements(await asked(many)), statements(await asked(many))]).toEqual([few + 1, few]);
  });

  test.each(['administrator', 'ann'])('has aggregates of a sample, and says so, to %s', async (caller) => {
    const requests = caller === 'ann' ? ann : server.request;
    const provided = (more: Record<string, string>) =>
      requests.get('/api/v1/search/pp/default_search/execute').query({ ecm_fulltext: 'many', ...more });
    const first = await provided({}).expect(200);
    const { body } = first;
    expect(body.resultsCount).toBe(-2);
    const { isSampled, buckets } = body.aggregations.dc_nature_agg;
    expect(isSampled).toBe(true);
    expect(buckets).toMatchObject([
      { key: 'letter', docCount: 6 },
      { key: 'report', docCount: 5 },
    ]);
    const narrowed = await provided({ dc_nature_agg: '["letter"]' }).expect(200);
    expect(narrowed.body.resultsCount).toBe(6);
    expect(statements(first)).toBe(statements(narrowed));
  });

  test('does not mark aggregates of fewer hits', async () => {
    for (const nature of ['letter', 'report'])
      await createDocument(server, { properties: { 'dc:title': 'seldom', 'dc:nature': nature } });
    const { body } = await server.request
      .get('/api/v1/search/pp/default_search/execute')
      .query({ ecm_fulltext: 'seldom' })
      .expect(200);
    expect(body.resultsCount).toBe(2);
    expect(body.aggregations.dc_nature_agg.buckets).toHaveLength(2);
    for (const aggregate of Object.values(body.aggregations))
      expect(aggregate).not.toHaveProperty('isSampled');
  });
});
