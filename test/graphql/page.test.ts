import { beforeAll, describe, expect, test } from '@jest/globals';
import { buildIndex } from '../../src/store/search/build-index.ts';
import { comment } from '../rest/comments/comment-requests.ts';
import { atId, createDocument, type DocumentEntity } from '../support/documents.ts';
import { layDocuments } from '../support/laid-documents.ts';
import { statements, useServer } from '../support/server.ts';

const server = useServer();
const { request } = server;
const total = 1_003;
let folder: DocumentEntity;
let commented: DocumentEntity;

const send = (text: string) => server.database.query<{ n: number }>({ name: '', text }, []);

/** Copies of a document, in its folder, until there are as many as a page cannot hold. */
const copiesOf = (id: string) => `
  INSERT INTO document
    (repository, id, parent_id, ancestor_ids, name, path, type, title, acl_id, properties, facets)
  SELECT d.repository, gen_random_uuid(), d.parent_id, d.ancestor_ids, d.name || n, d.path || n, d.type,
    d.title || n, d.acl_id, d.properties, d.facets
  FROM document d, generate_series(2, ${total}) n WHERE d.id = '${id}'`;

beforeAll(async () => {
  folder = await createDocument(server, { type: 'Folder' });
  const file = await createDocument(server, { parent: folder.path, properties: { 'dc:source': 'laid' } });
  commented = await createDocument(server);
  const { id } = await comment(request, commented.uid);
  await layDocuments(server, copiesOf(file.uid));
  await layDocuments(server, copiesOf(id));
  await send(
    `INSERT INTO "user" (id, properties) SELECT 'laid' || n, '{}' FROM generate_series(1, ${total}) n`,
  );
  await send(
    `INSERT INTO "group" (id, properties) SELECT 'laid' || n, '{}' FROM generate_series(1, ${total}) n`,
  );
  await send("DELETE FROM directory_entry WHERE directory = 'continent'");
  await send(
    `INSERT INTO directory_entry (directory, id) SELECT 'continent', n FROM generate_series(1, ${total}) n`,
  );
  await send(`INSERT INTO log_entry (repository, event_id, category, principal_name, doc_uuid, event_date)
    SELECT 'default', 'laid', 'Test', 'bob', '${folder.uid}', now() FROM generate_series(1, ${total}) n`);
  const { signal } = new AbortController();
  await buildIndex(server.database, { onProgress: () => {}, signal });
});

const inFolder = () => `SELECT * FROM Document WHERE ecm:parentId = '${folder.uid}'`;
const records = () => `SELECT ecm:uuid FROM Document WHERE ecm:parentId = '${folder.uid}'`;

type Page = Record<string, number>;

/** A request of a page for each way in which lists are read. */
const lists: Record<string, (page: Page) => ReturnType<typeof request.get>> = {
  '@children': (page) => request.get(`${atId(folder.uid)}/@children`).query(page),
  'a search': (page) => request.get('/api/v1/search/execute').query({ ...page, query: inFolder() }),
  'a page provider': (page) =>
    request.get('/api/v1/search/pp/CURRENT_DOC_CHILDREN/execute').query({ ...page, queryParams: folder.uid }),
  'an adapter of a page provider': (page) =>
    request.get(`${atId(folder.uid)}/@pp/CURRENT_DOC_CHILDREN`).query(page),
  'Repository.Query': (page) =>
    request.post('/api/v1/automation/Repository.Query').send({ params: { ...page, query: inFolder() } }),
  'Repository.ResultSetQuery': (page) =>
    request
      .post('/api/v1/automation/Repository.ResultSetQuery')
      .send({ params: { ...page, query: records() } }),
  users: (page) => request.get('/api/v1/user/search').query({ ...page, q: 'laid' }),
  groups: (page) => request.get('/api/v1/group/search').query({ ...page, q: 'laid' }),
  comments: (page) => request.get(`${atId(commented.uid)}/@comment`).query(page),
  'entries of a directory': (page) => request.get('/api/v1/directory/continent').query(page),
  'log entries': (page) => request.get(`${atId(folder.uid)}/@audit`).query({ ...page, eventId: 'laid' }),
};

/** What tells entries of any kind apart. */
const keyOf = (entry: Record<string, unknown>) =>
  JSON.stringify(entry.uid ?? entry.id ?? entry['ecm:uuid'] ?? entry.username ?? entry.groupname ?? entry);

describe.each(Object.entries(lists))('§2, §8 pages of as many entries as possible: %s', (name, list) => {
  test.each([0, -1])('pageSize=%s has a second page, and says so on the first', async (pageSize) => {
    const first = await list({ pageSize }).expect(200);
    const second = await list({ pageSize, currentPageIndex: 1 }).expect(200);
    expect([first.body.entries.length, second.body.entries.length]).toEqual([1000, total - 1000]);
    expect(new Set([...first.body.entries, ...second.body.entries].map(keyOf)).size).toBe(total);
    expect(statements(second)).toBeLessThanOrEqual(statements(first) + 1);
    if (name === 'comments') return; // they say how many there are, and no more
    const counted = { resultsCount: total, pageSize: 0, numberOfPages: 2 };
    expect(first.body).toMatchObject({ ...counted, currentPageIndex: 0, isNextPageAvailable: true });
    expect(second.body).toMatchObject({
      ...counted,
      currentPageIndex: 1,
      currentPageOffset: 1000,
      currentPageSize: total - 1000,
      isPreviousPageAvailable: true,
      isNextPageAvailable: false,
      isLastPageAvailable: false,
    });
  });

  test('has no third page, and the offset goes before the page number', async () => {
    const third = await list({ pageSize: 0, currentPageIndex: 2 }).expect(200);
    expect(third.body.entries).toEqual([]);
    if (name.startsWith('Repository')) return; // operations take no offset
    const last = await list({ pageSize: 0, currentPageIndex: 0, offset: total - 1 }).expect(200);
    expect(last.body.entries).toHaveLength(1);
  });
});
