import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { deny, setAcl } from '../support/acls.ts';
import { createDocument, type DocumentEntity } from '../support/factories.ts';
import { start, statements, type TestServer } from '../support/server.ts';
import { as, createUser } from '../support/users.ts';
import { call } from './calls.ts';

let server: TestServer;
let folder: DocumentEntity;
beforeAll(async () => {
  server = await start();
  await createUser(server, 'bob', ['members']);
  folder = await createDocument(server, { type: 'Folder' });
  for (const name of ['a', 'b', 'c']) {
    const properties = { 'dc:title': name, 'dc:description': name === 'a' ? 'first' : 'other' };
    await createDocument(server, { parent: folder.path, name, properties });
  }
  await setAcl(server, `${folder.path}/c`, [deny('members', 'Everything')]);
});
afterAll(() => server.stop());

const run = (id: string, params: Record<string, unknown>, who = server.request) => call(who, id, { params });
const names = ({ body }: { body: { entries: readonly DocumentEntity[] } }) =>
  body.entries.map(({ name }) => name);

describe('Repository.Query', () => {
  test.each(['Repository.Query', 'Document.Query'])('answers a page of documents (§4.7): %s', async (id) => {
    const query = `SELECT * FROM File WHERE ecm:parentId = '${folder.uid}' ORDER BY dc:title DESC`;
    const answer = await run(id, { query, pageSize: 2 }).expect(200);
    expect(names(answer)).toEqual(['c', 'b']);
    expect(answer.body).toMatchObject({ 'entity-type': 'documents', resultsCount: 3, numberOfPages: 2 });
    expect(names(await run(id, { query, pageSize: '2', currentPageIndex: '1' }).expect(200))).toEqual(['a']);
    expect(statements(answer)).toBe(1);
  });

  test('fills in what the query leaves open', async () => {
    const query = 'SELECT * FROM File WHERE ecm:parentId = ? AND dc:title IN :titles';
    const lists = [{ titles: ['a', 'c'] }, { titles: '["a","c"]' }, 'titles=["a","c"]'];
    for (const namedParameters of lists) {
      const params = {
        query,
        queryParams: [folder.uid],
        namedParameters,
        sortBy: 'dc:title',
        sortOrder: 'asc',
      };
      expect(names(await run('Repository.Query', params).expect(200))).toEqual(['a', 'c']);
    }
  });

  test('needs Read on what it shows and counts', async () => {
    const query = `SELECT * FROM File WHERE ecm:parentId = '${folder.uid}' ORDER BY dc:title`;
    const answer = await run('Repository.Query', { query }, as(server, 'bob')).expect(200);
    expect(names(answer)).toEqual(['a', 'b']);
    expect(answer.body.resultsCount).toBe(2);
  });

  test.each([
    { query: 'SELECT' },
    { language: 'SQL' },
    { pageSize: -1 },
    { query: 'SELECT * FROM File', other: 1 },
  ])('refuses %j', async (params) => {
    await run('Repository.Query', params).expect(400);
  });
});

describe('Document.FetchByProperty', () => {
  const of = (params: Record<string, unknown>, who = server.request) =>
    run('Document.FetchByProperty', params, who);

  test('answers the documents with one of the values (§4.7)', async () => {
    const within = `ecm:parentId = '${folder.uid}'`;
    const params = { property: 'dc:title', values: 'a,c', query: within };
    expect(names(await of(params).expect(200)).sort()).toEqual(['a', 'c']);
    const first = { ...params, query: `dc:description = 'first' OR ${within} AND dc:title = 'b'` };
    expect(names(await of(first).expect(200))).toEqual(['a']);
    expect(names(await of({ property: 'ecm:uuid', values: [folder.uid] }).expect(200))).toEqual([
      folder.name,
    ]);
  });

  test('needs Read on what it answers', async () => {
    const params = { property: 'dc:title', values: ['a', 'c'], query: `ecm:parentId = '${folder.uid}'` };
    expect(names(await of(params, as(server, 'bob')).expect(200))).toEqual(['a']);
  });

  test.each([
    { property: 'dc:nothing', values: 'a' },
    { property: 'dc:title' },
    { property: 'dc:title', values: 'a', query: 'dc:title' },
    { property: 'dc:title', values: 'a', query: "dc:title = 'a' ORDER BY dc:title" },
  ])('refuses %j', async (params) => {
    await of(params).expect(400);
  });
});
