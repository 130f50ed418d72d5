import { beforeAll, describe, expect, test } from '@jest/globals';
import { deny, setAcl } from '../../support/acls.ts';
import { createDocument, type DocumentEntity, namesIn } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { as, createUser } from '../../support/users.ts';

const server = useServer();
let folder: DocumentEntity;
beforeAll(async () => {
  await createUser(server, 'bob', ['members']);
  folder = await createDocument(server, { type: 'Folder' });
  for (const name of ['a', 'b', 'c']) {
    const properties = { 'dc:title': name, 'dc:description': name === 'a' ? 'first' : 'other' };
    await createDocument(server, { parent: folder.path, name, properties });
  }
  await setAcl(server, `${folder.path}/c`, [deny('members', 'Everything')]);
});

const run = (id: string, params: Record<string, unknown>, who = server.request) => call(who, id, { params });
describe('Repository.Query', () => {
  test.each(['Repository.Query', 'Document.Query'])(
    'answers with a page of documents as %s (§4.7)',
    async (id) => {
      const query = `SELECT * FROM File WHERE ecm:parentId = '${folder.uid}' ORDER BY dc:title DESC`;
      const answer = await run(id, { query, pageSize: 2 }).expect(200);
      expect(namesIn(answer)).toEqual(['c', 'b']);
      expect(answer.body).toMatchObject({ 'entity-type': 'documents', resultsCount: 3, numberOfPages: 2 });
      expect(namesIn(await run(id, { query, pageSize: '2', currentPageIndex: '1' }).expect(200))).toEqual([
        'a',
      ]);
      expect(statements(answer)).toBe(2);
    },
  );

  test('inserts positional and named parameters into the query', async () => {
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
      expect(namesIn(await run('Repository.Query', params).expect(200))).toEqual(['a', 'c']);
    }
  });

  test('needs Read on the documents that it lists and counts', async () => {
    const query = `SELECT * FROM File WHERE ecm:parentId = '${folder.uid}' ORDER BY dc:title`;
    const answer = await run('Repository.Query', { query }, as(server, 'bob')).expect(200);
    expect(namesIn(answer)).toEqual(['a', 'b']);
    expect(answer.body.resultsCount).toBe(2);
  });

  test.each([{ query: 'SELECT' }, { language: 'SQL' }, { pageSize: -2 }])('refuses %j', async (params) => {
    await run('Repository.Query', params).expect(400);
  });
});

describe('Document.FetchByProperty', () => {
  const of = (params: Record<string, unknown>, who = server.request) =>
    run('Document.FetchByProperty', params, who);

  test('answers with the documents that have one of the values (§4.7)', async () => {
    const within = `ecm:parentId = '${folder.uid}'`;
    const params = { property: 'dc:title', values: 'a,c', query: within };
    expect(namesIn(await of(params).expect(200)).sort()).toEqual(['a', 'c']);
    const first = { ...params, query: `dc:description = 'first' OR ${within} AND dc:title = 'b'` };
    expect(namesIn(await of(first).expect(200))).toEqual(['a']);
    expect(namesIn(await of({ property: 'ecm:uuid', values: [folder.uid] }).expect(200))).toEqual([
      folder.name,
    ]);
  });

  test('needs Read on the documents of the answer', async () => {
    const params = { property: 'dc:title', values: ['a', 'c'], query: `ecm:parentId = '${folder.uid}'` };
    expect(namesIn(await of(params, as(server, 'bob')).expect(200))).toEqual(['a']);
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
