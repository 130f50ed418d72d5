import { beforeAll, describe, expect, test } from '@jest/globals';
import { grant, only, setAcl } from '../../../support/acls.ts';
import { createDocument, type DocumentEntity } from '../../../support/documents.ts';
import { call } from '../../../support/requests.ts';
import { statements, useServer } from '../../../support/server.ts';
import { useUser } from '../../../support/users.ts';
import { createFolder, numbered } from './children-requests.ts';

const server = useServer({ SEARCH_COUNT_LIMIT: '10' });
const ann = useUser(server, 'ann');
useUser(server, 'cid');
const names = numbered(14);
let folder: DocumentEntity;

const page = (requests: typeof ann, given: Record<string, unknown> = {}) =>
  requests.get(`/api/v1/path${folder.path}/@children`).query({ pageSize: 4, ...given });

beforeAll(async () => {
  folder = await createFolder(server, names);
  await setAcl(server, folder.path, [grant('ann', 'Read')]);
  for (const name of ['c05', 'c10']) await setAcl(server, `${folder.path}/${name}`, only('cid', 'Read'));
});

describe('§2.2, §4.7 a folder with more children than are counted', () => {
  test.each(['administrator', 'ann'])('says so, with the limit, to %s', async (caller) => {
    const { body } = await page(caller === 'ann' ? ann : server.request).expect(200);
    expect(body).toMatchObject({
      resultsCount: -2,
      resultsCountLimit: 10,
      totalSize: -2,
      numberOfPages: 0,
      pageCount: 0,
      isNextPageAvailable: true,
      isLastPageAvailable: false,
      currentPageSize: 4,
    });
  });

  test.each([{}, { sortBy: 'dc:description', sortOrder: 'asc' }, { sortBy: 'ecm:name', sortOrder: 'desc' }])(
    'is paged to its end by number, whose last page knows the count, with %j',
    async (order) => {
      const seen: string[] = [];
      for (let currentPageIndex = 0; ; currentPageIndex += 1) {
        const { body } = await page(ann, { ...order, pageSize: 5, currentPageIndex }).expect(200);
        seen.push(...body.entries.map(({ path }: DocumentEntity) => path.slice(folder.path.length + 1)));
        expect(body.resultsCount).toBe(currentPageIndex < 2 ? -2 : 12);
        if (!body.isNextPageAvailable) break;
      }
      expect(seen.sort()).toEqual(names.filter((name) => name !== 'c05' && name !== 'c10'));
    },
  );

  test('is paged to its end by cursor', async () => {
    const seen: string[] = [];
    for (let cursor = '*'; cursor; ) {
      const { body } = await page(ann, { cursor }).expect(200);
      seen.push(...body.entries.map(({ path }: DocumentEntity) => path.slice(folder.path.length + 1)));
      cursor = body.nextCursor;
    }
    expect(seen).toEqual(names.filter((name) => name !== 'c05' && name !== 'c10'));
  });

  test('is counted where the request wants no more than the limit', async () => {
    const { body } = await page(ann, { maxResults: 10 }).expect(200);
    expect(body).toMatchObject({ resultsCount: 10, resultsCountLimit: 10, numberOfPages: 3 });
    const beyond = await page(ann, { maxResults: 11, pageSize: 6, currentPageIndex: 1 }).expect(200);
    expect(beyond.body).toMatchObject({ currentPageSize: 5, resultsCount: -2, isNextPageAvailable: false });
  });

  test('is counted for a user who can read no more than the limit', async () => {
    for (const name of ['c01', 'c02']) await setAcl(server, `${folder.path}/${name}`, only('cid', 'Read'));
    expect((await page(ann).expect(200)).body).toMatchObject({ resultsCount: 10, numberOfPages: 3 });
    expect((await page(server.request).expect(200)).body.resultsCount).toBe(-2);
    for (const name of ['c01', 'c02']) await setAcl(server, `${folder.path}/${name}`, []);
    expect((await page(ann).expect(200)).body.resultsCount).toBe(-2);
  });

  test('costs as many statements as a small one', async () => {
    const small = await createFolder(server, numbered(1));
    await setAcl(server, small.path, [grant('ann', 'Read')]);
    const of = (path: string) => ann.get(`/api/v1/path${path}/@children`).expect(200);
    await of(small.path);
    expect(statements(await of(folder.path))).toBe(statements(await of(small.path)));
  });

  test('has all its children in the enricher and in Document.GetChildren, without a count', async () => {
    const { body } = await ann
      .get(`/api/v1/path${folder.path}`)
      .set('enrichers.document', 'children')
      .expect(200);
    expect(body.contextParameters.children.entries).toHaveLength(12);
    expect(body.contextParameters.children).not.toHaveProperty('resultsCount');
    const got = await call(ann, 'Document.GetChildren', { input: folder.path }).expect(200);
    expect(got.body.entries).toHaveLength(12);
    expect(got.body).not.toHaveProperty('resultsCount');
  });
});

test('§4.7 members of a collection beyond the limit are not counted either', async () => {
  const collection = await createDocument(server, { type: 'Collection' });
  const input = names.map((name) => `${folder.path}/${name}`).join(',');
  await call(server.request, 'Document.AddToCollection', {
    input: `docs:${input}`,
    params: { collection: collection.uid },
  });
  await setAcl(server, collection.path, [grant('ann', 'Read')]);
  const { body } = await call(ann, 'Collection.GetDocumentsFromCollection', {
    input: collection.path,
    params: { pageSize: 5 },
  }).expect(200);
  expect(body).toMatchObject({ resultsCount: -2, resultsCountLimit: 10, isNextPageAvailable: true });
});
