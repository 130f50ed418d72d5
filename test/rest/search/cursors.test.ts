import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { deny, setAcl } from '../../support/acls.ts';
import { createDocument, type DocumentEntity, namesIn } from '../../support/documents.ts';
import { askGraphql, call } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';

const server = useServer();
const bob = useUser(server, 'bob', ['members']);
let folder: DocumentEntity;
let query: string;
beforeAll(async () => {
  folder = await createDocument(server, { type: 'Folder' });
  query = `SELECT * FROM File WHERE ecm:parentId = '${folder.uid}' AND ecm:isVersion = 0`;
  for (let index = 0; index < 23; index += 1) {
    const source = index % 4 === 0 ? undefined : `s${index % 3}`;
    const properties = {
      'dc:title': `t${index % 5}`,
      ...(source && { 'dc:source': source }),
      ...(index % 6 > 0 && { 'dc:issued': `2024-01-0${1 + (index % 3)}T00:00:00.000Z` }),
    };
    await createDocument(server, { parent: folder.path, name: `n${index}`, properties });
  }
  await setAcl(server, `${folder.path}/n7`, [deny('members', 'Everything')]);
});

type Given = Record<string, unknown>;

const search = (given: Given, agent = server.request) =>
  agent.get('/api/v1/search/lang/NXQL/execute').query({ query, ...given });

/** All pages by cursor, one after the other. */
async function pagesOf(given: Given, agent = server.request) {
  const pages: Array<{ names: string[]; body: Record<string, unknown> }> = [];
  for (let cursor: unknown = '*'; cursor !== undefined; ) {
    const answer = await search({ ...given, cursor }, agent).expect(200);
    pages.push({ names: namesIn(answer), body: answer.body });
    cursor = answer.body.nextCursor;
  }
  return pages;
}

const namesOf = async (given: Given, agent = server.request) =>
  (await pagesOf(given, agent)).flatMap(({ names }) => names);

const sortable = [
  'dc:title',
  'dc:source',
  'dc:issued',
  'dc:created',
  'ecm:name',
  'ecm:pos',
  'ecm:isTrashed',
  'ecm:parentId',
];

describe('§4.7 cursors', () => {
  test('lead through all pages with the numbers of the pages, in as many statements as these', async () => {
    const pages = await pagesOf({ pageSize: 10, sortBy: 'dc:title', sortOrder: 'asc' });
    const numbers = pages.map(({ body }) => [
      body.currentPageIndex,
      body.currentPageOffset,
      body.isPreviousPageAvailable,
      body.isNextPageAvailable,
      body.resultsCount,
      'nextCursor' in body,
    ]);
    expect(numbers).toEqual([
      [0, 0, false, true, 23, true],
      [1, 10, true, true, 23, true],
      [2, 20, true, false, 23, false],
    ]);
    const cost = async (given: Given) => statements(await search({ pageSize: 10, ...given }).expect(200));
    expect(await cost({ cursor: '*' })).toBe(await cost({}));
  });

  test('show the documents of the pages by number, in whatever order (property)', async () => {
    const orders = fc.uniqueArray(fc.constantFrom(...sortable), { maxLength: 3 });
    const asked = fc.record({
      sortBy: orders,
      isAscending: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
      pageSize: fc.integer({ min: 1, max: 12 }),
    });
    await fc.assert(
      fc.asyncProperty(asked, async ({ sortBy, isAscending, pageSize }) => {
        const given = {
          sortBy: sortBy.join(','),
          sortOrder: isAscending.map((is) => (is ? 'asc' : 'desc')).join(','),
        };
        const all = namesIn(await search({ ...given, pageSize: 100 }).expect(200));
        expect(await namesOf({ ...given, pageSize })).toEqual(all);
      }),
      { numRuns: 25 },
    );
  });

  test('skip nothing and repeat nothing when documents come and go', async () => {
    const place = await createDocument(server, { type: 'Folder' });
    const names = ['b', 'd', 'f', 'h', 'j'];
    for (const name of names) await createDocument(server, { parent: place.path, name });
    const given = {
      query: query.replace(folder.uid, place.uid),
      pageSize: 2,
      sortBy: 'ecm:name',
      sortOrder: 'asc',
    };
    const first = await search({ ...given, cursor: '*' }).expect(200);
    await createDocument(server, { parent: place.path, name: 'a' });
    await server.request.delete(`/api/v1/path${place.path}/d`).expect(204);
    const second = await search({ ...given, cursor: first.body.nextCursor }).expect(200);
    for (const name of ['b', 'f', 'h'])
      await server.request.delete(`/api/v1/path${place.path}/${name}`).expect(204);
    const third = await search({ ...given, cursor: second.body.nextCursor }).expect(200);
    expect([namesIn(third), 'nextCursor' in third.body]).toEqual([['j'], false]);
    expect([namesIn(first), namesIn(second)]).toEqual([
      ['b', 'd'],
      ['f', 'h'],
    ]);
  });

  test('show nothing that the caller may not read', async () => {
    const names = await namesOf({ pageSize: 5, sortBy: 'ecm:name' }, bob);
    expect(names.length).toBe(22);
    expect(names).not.toContain('n7');
  });

  test('end with maxResults, and replace page numbers', async () => {
    expect((await namesOf({ pageSize: 4, maxResults: 10 })).length).toBe(10);
    const answer = await search({ cursor: '*', currentPageIndex: 3, pageSize: 5 }).expect(200);
    expect(answer.body.currentPageIndex).toBe(0);
    expect('nextCursor' in (await search({ pageSize: 5 }).expect(200)).body).toBe(false);
  });

  test('are taken by page providers, @search, operations and GraphQL', async () => {
    const provider = server.request.get('/api/v1/search/pp/default_search/execute');
    const provided = await provider.query({ ecm_path: folder.path, pageSize: 20, cursor: '*' }).expect(200);
    const again = server.request.get('/api/v1/search/pp/default_search/execute');
    const { nextCursor: cursor } = provided.body;
    const rest = await again.query({ ecm_path: folder.path, pageSize: 20, cursor }).expect(200);
    expect(new Set([...namesIn(provided), ...namesIn(rest)]).size).toBe(23);
    const below = server.request.get(`/api/v1/id/${folder.uid}/@search`);
    expect(
      (await below.query({ query, pageSize: 5, cursor: '*' }).expect(200)).body.nextCursor,
    ).toBeDefined();
    const params = { query, pageSize: 5, cursor: '*' };
    const { body } = await call(server.request, 'Repository.Query', { params }).expect(200);
    const next = await call(server.request, 'Repository.Query', {
      params: { ...params, cursor: body.nextCursor },
    });
    expect(next.body.currentPageIndex).toBe(1);
    const asked = `query ($query: String, $cursor: String) { search(query: $query, cursor: $cursor, pageSize: 5) { nextCursor } }`;
    const found = await askGraphql<{ search: { nextCursor: string } }>(server.request, asked, {
      query,
      cursor: '*',
    });
    expect(found.search.nextCursor).toBe(body.nextCursor);
  });

  test('lead on where a bucket is selected that depends on the time', async () => {
    const provider = (cursor: string) =>
      server.request
        .get('/api/v1/search/pp/default_search/execute')
        .query({ ecm_path: folder.path, dc_modified_agg: '["last24h"]', pageSize: 20, cursor });
    const first = await provider('*').expect(200);
    const second = await provider(first.body.nextCursor).expect(200);
    expect(new Set([...namesIn(first), ...namesIn(second)]).size).toBe(23);
  });

  test('and page numbers are asked for in one request of GraphQL', async () => {
    const asked = `query ($query: String) {
      byCursor: search(query: $query, pageSize: 5, cursor: "*") { entries { name } nextCursor }
      byNumber: search(query: $query, pageSize: 5) { entries { name } nextCursor }
    }`;
    const { byCursor, byNumber } = await askGraphql<
      Record<'byCursor' | 'byNumber', { entries: Array<{ name: string }>; nextCursor: string | null }>
    >(server.request, asked, { query });
    expect(byCursor.entries).toEqual(byNumber.entries);
    expect([byCursor.nextCursor !== null, byNumber.nextCursor]).toEqual([true, null]);
  });

  test('are refused when they are of another list, or none', async () => {
    const given = { pageSize: 5, sortBy: 'dc:title' };
    const { nextCursor: cursor } = (await search({ ...given, cursor: '*' }).expect(200)).body;
    const forge = (change: (parts: unknown[]) => unknown) =>
      Buffer.from(JSON.stringify(change(JSON.parse(Buffer.from(cursor, 'base64url').toString())))).toString(
        'base64url',
      );
    const faulty: Given[] = [
      { cursor, sortBy: 'dc:created' },
      { cursor, query: `${query} AND ecm:isTrashed = 0` },
      { cursor: 'odd' },
      { cursor: 'x'.repeat(8_001) },
      { cursor: forge(([digest, , ...others]) => [digest, [], ...others]) },
      { cursor: forge(([digest, , ...others]) => [digest, ['a\0'], ...others]) },
      { cursor: forge(([digest, , offset]) => [digest, ['t1', "1' OR true"], offset]) },
      { cursor: forge(([digest, keys]) => [digest, keys, -1]) },
      { cursor: forge(([digest, keys]) => [digest, keys, 2 ** 31]) },
      { cursor: forge(() => ({})) },
    ];
    for (const each of faulty) {
      const { body } = await search({ ...given, ...each }).expect(400);
      expect(body.message).toMatch(/^cursor(?: is not a nextCursor| does not belong to this sort order)/);
    }
    const numeric = { ...given, sortBy: 'ecm:pos,uid:major_version' };
    const at = (await search({ ...numeric, cursor: '*' }).expect(200)).body.nextCursor;
    const [digest, [, , id], offset] = JSON.parse(Buffer.from(at, 'base64url').toString());
    const forged = Buffer.from(JSON.stringify([digest, [null, 'many', id], offset])).toString('base64url');
    expect((await search({ ...numeric, cursor: forged }).expect(400)).body.message).toBe(
      'cursor does not belong to this sort order',
    );
  });

  test('are refused for texts that no address holds', async () => {
    const place = await createDocument(server, { type: 'Folder' });
    for (const name of ['a', 'b'])
      await createDocument(server, {
        parent: place.path,
        name,
        properties: { 'dc:source': name.repeat(9_000) },
      });
    const given = {
      query: query.replace(folder.uid, place.uid),
      sortBy: 'dc:source',
      pageSize: 1,
      cursor: '*',
    };
    expect((await search(given).expect(400)).body.message).toMatch(
      /is sorted by a value that is too long for a cursor/,
    );
  });
});
