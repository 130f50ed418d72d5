import { beforeAll, describe, expect, test } from '@jest/globals';
import { deny, setAcl } from '../../support/acls.ts';
import { createDocument, type DocumentEntity, updateDocument } from '../../support/documents.ts';
import { askGraphql, call, exception } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { as, createUser } from '../../support/users.ts';

const server = useServer(
  {},
  {
    pageProviders: [
      {
        name: 'titles',
        query: 'SELECT dc:title, ecm:name FROM File WHERE ecm:parentId = ? ORDER BY ecm:name',
      },
      { name: 'count_below', query: 'SELECT COUNT(ecm:uuid) FROM File WHERE ecm:parentId = :folder' },
    ],
  },
);
let folder: DocumentEntity;
let within: string;
beforeAll(async () => {
  await createUser(server, 'bob', ['members']);
  folder = await createDocument(server, { type: 'Folder' });
  within = `FROM File WHERE ecm:isVersion = 0 AND ecm:parentId = '${folder.uid}'`;
  const given = [
    ['a', { 'dc:title': 'A', 'dc:source': 'x', 'dc:subjects': ['art', 'sciences'], 'uid:uid': '1' }],
    ['b', { 'dc:title': 'B', 'dc:source': 'x', 'dc:subjects': ['art'] }],
    ['c', { 'dc:title': 'B', 'dc:source': 'y' }],
  ] as const;
  for (const [name, properties] of given)
    await createDocument(server, { parent: folder.path, name, properties });
  await setAcl(server, `${folder.path}/c`, [deny('members', 'Everything')]);
});

const run = (query: string, params: Record<string, unknown> = {}, who = server.request) =>
  call(who, 'Repository.ResultSetQuery', { params: { query, ...params } });

const recordsOf = async (query: string, params: Record<string, unknown> = {}) =>
  (await run(query, params).expect(200)).body.entries;

describe("'Repository.ResultSetQuery'", () => {
  test('answers with a page of records, in one statement beside that of the index (§4.7)', async () => {
    const answer = await run(`SELECT ecm:name, dc:title, dc:source ${within} ORDER BY ecm:name`, {
      pageSize: 2,
    }).expect(200);
    expect(answer.body).toEqual({
      'entity-type': 'recordSet',
      isPaginable: true,
      resultsCount: 3,
      pageSize: 2,
      maxPageSize: 1000,
      resultsCountLimit: 3,
      currentPageSize: 2,
      currentPageIndex: 0,
      currentPageOffset: 0,
      numberOfPages: 2,
      isPreviousPageAvailable: false,
      isNextPageAvailable: true,
      isLastPageAvailable: true,
      isSortable: true,
      hasError: false,
      errorMessage: null,
      entries: [
        { 'ecm:name': 'a', 'dc:title': 'A', 'dc:source': 'x' },
        { 'ecm:name': 'b', 'dc:title': 'B', 'dc:source': 'x' },
      ],
    });
    expect(statements(answer)).toBe(2);
    const second = await recordsOf(`SELECT ecm:name ${within} ORDER BY ecm:name`, {
      pageSize: 2,
      currentPageIndex: 1,
    });
    expect(second).toEqual([{ 'ecm:name': 'c' }]);
    const older = call(server.request, 'Resultset.PaginatedQuery', {
      params: { query: `SELECT ecm:name ${within} AND dc:title = 'A'` },
    });
    expect((await older.expect(200)).body.entries).toEqual([{ 'ecm:name': 'a' }]);
  });

  test.each<[string, string, unknown[]]>([
    ['numbers, dates and flags as such', 'SELECT ecm:isTrashed, uid:major_version', [false, 0]],
    ['unset values as null', 'SELECT dc:description, ecm:lockOwner', [null, null]],
    ['ids', 'SELECT ecm:parentId', [() => folder.uid]],
  ])('shows %s', async (_, select, values) => {
    const [record] = await recordsOf(`${select} ${within} AND dc:title = 'A'`);
    const expected = values.map((value) => (typeof value === 'function' ? value() : value));
    expect(Object.values(record)).toEqual(expected);
  });

  test('answers ids to SELECT *', async () => {
    const [record, ...others] = await recordsOf(`SELECT * ${within} AND dc:title = 'A'`);
    expect(record).toEqual({ 'ecm:uuid': expect.stringMatching(/^[\da-f-]{36}$/) });
    expect(others).toEqual([]);
  });

  test.each([
    ['DISTINCT dc:source', 'ORDER BY dc:source DESC', [['y'], ['x']]],
    ['DISTINCT dc:source', '', [['x'], ['y']]],
    [
      'DISTINCT dc:title, dc:source',
      'ORDER BY dc:source, dc:title',
      [
        ['A', 'x'],
        ['B', 'x'],
        ['B', 'y'],
      ],
    ],
    [
      'dc:subjects/*, ecm:name',
      'ORDER BY ecm:name, dc:subjects/*',
      [
        ['art', 'a'],
        ['sciences', 'a'],
        ['art', 'b'],
        [null, 'c'],
      ],
    ],
    ['DISTINCT dc:subjects', 'ORDER BY dc:subjects DESC', [['sciences'], ['art'], [null]]],
    ['dc:title', 'ORDER BY ecm:name DESC', [['B'], ['B'], ['A']]],
  ])('answers to SELECT %s %s', async (select, order, expected) => {
    const records = await recordsOf(`SELECT ${select} ${within} ${order}`);
    expect(
      records.map(Object.values).map((values: unknown[]) => values.slice(0, expected[0]?.length)),
    ).toEqual(expected);
  });

  test('are in the order of their documents, the unset last, on each page of elements', async () => {
    const place = await createDocument(server, { type: 'Folder' });
    const given = [
      ['p', { 'dc:subjects': ['art', 'sciences'], 'dc:issued': '2024-01-02' }],
      ['q', { 'dc:subjects': [] }],
      ['r', { 'dc:subjects': ['society', 'sciences', 'art'], 'dc:issued': '2024-01-01' }],
    ] as const;
    for (const [name, properties] of given)
      await createDocument(server, { parent: place.path, name, properties });
    const below = `FROM File WHERE ecm:parentId = '${place.uid}'`;
    const shown = (records: object[]) => records.map((record) => Object.values(record).map(String).join(' '));
    const found: string[] = [];
    for (const currentPageIndex of [0, 1, 2]) {
      const query = `SELECT ecm:name, dc:subjects ${below} ORDER BY dc:issued`;
      const { body } = await run(query, { pageSize: 2, currentPageIndex }).expect(200);
      expect(body.resultsCount).toBe(6);
      found.push(...shown(body.entries));
    }
    expect(found).toEqual(['r society', 'r sciences', 'r art', 'p art', 'p sciences', 'q null']);
    for (const [order, names] of [
      ['dc:issued DESC', ['p', 'r']],
      ['dc:created', ['p', 'q']],
    ])
      expect(shown(await recordsOf(`SELECT ecm:name ${below} ORDER BY ${order}`, { pageSize: 2 }))).toEqual(
        names,
      );
  });

  test.each([
    ['COUNT(ecm:uuid)', 3],
    ['COUNT(dc:subjects)', 3],
    ['COUNT(file:content)', 0],
    ['MIN(dc:title)', 'A'],
    ['MAX(dc:title)', 'B'],
    ['MAX(dc:description)', null],
    ['SUM(uid:major_version)', 0],
    ['AVG(ecm:pos)', null],
  ])('answers to SELECT %s', async (select, expected) => {
    const { body } = await run(`SELECT ${select} ${within}`).expect(200);
    expect(body.entries).toEqual([{ [select]: expected }]);
    expect(body.resultsCount).toBe(1);
  });

  test('answers several functions in one record, and none on a second page', async () => {
    const query = `SELECT COUNT(ecm:uuid), MIN(dc:created), MAX(dc:created) ${within}`;
    const [record] = await recordsOf(query);
    expect(record['COUNT(ecm:uuid)']).toBe(3);
    expect(record['MIN(dc:created)'] < record['MAX(dc:created)']).toBe(true);
    expect(await recordsOf(query, { pageSize: 1, currentPageIndex: 1 })).toEqual([]);
  });

  test('needs Read on the documents whose values it lists and counts', async () => {
    const bob = as(server, 'bob');
    const { body } = await run(`SELECT ecm:name ${within} ORDER BY ecm:name`, {}, bob).expect(200);
    expect([body.resultsCount, body.entries.length]).toEqual([2, 2]);
    const counted = await run(`SELECT COUNT(ecm:uuid) ${within}`, {}, bob).expect(200);
    expect(counted.body.entries).toEqual([{ 'COUNT(ecm:uuid)': 2 }]);
    const of = (principal: string) => `SELECT ecm:acl/*/${principal} ${within}`;
    const rights = (await run(of('permission'), {}, bob).expect(200)).body.entries;
    expect(new Set(rights.flatMap(Object.values))).toEqual(new Set([null]));
  });

  test('takes parameters, another order, and a limit', async () => {
    const query = 'SELECT ecm:name FROM File WHERE ecm:parentId = ? AND dc:source IN :sources';
    const params = { queryParams: [folder.uid], namedParameters: { sources: ['x', 'y'] } };
    const names = async (more: object) =>
      (await recordsOf(query, { ...params, ...more })).map((record: object) => Object.values(record)[0]);
    expect(await names({ sortBy: 'ecm:name', sortOrder: 'desc' })).toEqual(['c', 'b', 'a']);
    expect(await names({ sortBy: 'ecm:name', sortOrder: 'asc', maxResults: 2 })).toEqual(['a', 'b']);
  });

  test('costs as many statements for many records as for one', async () => {
    const cost = async (pageSize: number) =>
      statements(await run(`SELECT dc:title, dc:subjects ${within}`, { pageSize }).expect(200));
    expect(await cost(3)).toBe(await cost(1));
  });

  test.each<[string, RegExp]>([
    [
      'SELECT dc:title, COUNT(ecm:uuid) FROM Document',
      /functions and plain columns cannot be selected together$/,
    ],
    [
      'SELECT SUM(dc:title) FROM Document',
      /at 8: SUM cannot be applied to dc:title, because it is not a number$/,
    ],
    [
      'SELECT MAX(ecm:isTrashed) FROM Document',
      /MAX cannot be applied to ecm:isTrashed, because it is not a number$/,
    ],
    [
      'SELECT file:content FROM Document',
      /file:content cannot be a column, because it has fields; select one of the fields$/,
    ],
    ['SELECT ecm:fulltext FROM Document', /ecm:fulltext can only be used in conditions$/],
    ['SELECT dc:subjects/*1 FROM Document', /dc:subjects\/\*1 can only be used in conditions$/],
    [
      'SELECT dc:subjects, dc:contributors FROM Document',
      /at 21: dc:contributors cannot be a column: only one column can be a list, and there already is one$/,
    ],
    ['SELECT DISTINCT dc:title FROM Document ORDER BY dc:created', /at 49: ORDER BY dc:created/],
    ['SELECT COUNT(ecm:uuid) FROM Document ORDER BY dc:created', /ORDER BY dc:created is not possible/],
    ['SELECT nosuch:property FROM Document', /at 8: unknown property: nosuch:property$/],
    ['SELECT dc:title[*] FROM Document', /at 8: unknown property: dc:title\[\*\]$/],
    ['SELECT dc:title FROM Document ORDER BY no:such/*', /at 40: unknown property: no:such\/\*$/],
    ['SELECT ecm:fulltextScore FROM Document', /ecm:fulltextScore requires a condition on ecm:fulltext$/],
    [`SELECT ${'dc:title, '.repeat(100)}dc:title FROM Document`, /too many columns: the maximum is 100$/],
    ['SELECT', /a property/],
  ])('refuses %s', async (query, message) => {
    const { body } = await run(query).expect(400);
    expect(body).toMatchObject(exception(400, expect.stringMatching(message)));
  });

  test('refuses a missing query and another language', async () => {
    await call(server.request, 'Repository.ResultSetQuery', {}).expect(400);
    await run('SELECT dc:title FROM Document', { language: 'SQL' }).expect(400);
  });

  test('is in GraphQL', async () => {
    const query = `{ repositoryResultSetQuery(query: "SELECT COUNT(ecm:uuid) ${within}") { recordSet { resultsCount entries } } }`;
    expect(await askGraphql(server.request, query)).toEqual({
      repositoryResultSetQuery: { recordSet: { resultsCount: 1, entries: [{ 'COUNT(ecm:uuid)': 3 }] } },
    });
  });
});

describe("'Repository.ResultSetPageProvider'", () => {
  const provide = (params: Record<string, unknown>, who = server.request) =>
    call(who, 'Repository.ResultSetPageProvider', { params });

  test('answers with the records of a page provider', async () => {
    const { body } = await provide({ providerName: 'titles', queryParams: [folder.uid] }).expect(200);
    expect(body).toMatchObject({ 'entity-type': 'recordSet', resultsCount: 3 });
    expect(body.entries[0]).toEqual({ 'dc:title': 'A', 'ecm:name': 'a' });
    const named = { providerName: 'count_below', namedParameters: { folder: folder.uid } };
    expect((await provide(named).expect(200)).body.entries).toEqual([{ 'COUNT(ecm:uuid)': 3 }]);
  });

  test('needs Read on the documents whose values it lists', async () => {
    const given = { providerName: 'titles', queryParams: [folder.uid] };
    expect((await provide(given, as(server, 'bob')).expect(200)).body.resultsCount).toBe(2);
  });

  test('refuses an unknown page provider and a missing parameter', async () => {
    await provide({ providerName: 'nosuch' }).expect(404);
    await provide({ providerName: 'titles' }).expect(400);
    await provide({}).expect(400);
  });
});

// §4.7
describe('ecm:fulltextScore', () => {
  test('is an order by relevance, and a column', async () => {
    const place = await createDocument(server, { type: 'Folder' });
    const titles = { little: 'zebra and many other words', much: 'zebra zebra zebra', none: 'horse' };
    for (const [name, title] of Object.entries(titles))
      await createDocument(server, { parent: place.path, name, properties: { 'dc:title': title } });
    const where = `FROM File WHERE ecm:fulltext = 'zebra' AND ecm:isVersion = 0 AND ecm:parentId = '${place.uid}'`;
    const search = server.request.get('/api/v1/search/lang/NXQL/execute');
    const found = await search
      .query({ query: `SELECT * ${where} ORDER BY ecm:fulltextScore DESC` })
      .expect(200);
    expect(found.body.entries.map(({ name }: DocumentEntity) => name)).toEqual(['much', 'little']);
    const records = await recordsOf(`SELECT ecm:fulltextScore ${where} ORDER BY ecm:fulltextScore`);
    const [least, most] = records.map((record: object) => Object.values(record)[0]);
    expect([typeof least, least < most]).toEqual(['number', true]);
    await run(`SELECT * FROM File WHERE ecm:fulltextScore > 1`).expect(400);
  });
});

// §4.7
describe('ecm:blobKeys', () => {
  test('are the digests of the files of a document', async () => {
    const { uid } = await createDocument(server, { parent: folder.path, type: 'Note', name: 'with-file' });
    const content = { name: 'a.txt', 'mime-type': 'text/plain', content: 'the only one' };
    await updateDocument(server.request, uid, { 'files:files': [{ file: content }] }).expect(200);
    const [record] = await recordsOf(`SELECT ecm:blobKeys FROM Note WHERE ecm:uuid = '${uid}'`);
    const key = record['ecm:blobKeys'];
    expect(key).toMatch(/^[\da-f]{64}$/);
    for (const name of [key, `default:${key}`])
      expect(
        await recordsOf(`SELECT ecm:uuid FROM Note WHERE ecm:isVersion = 0 AND ecm:blobKeys = '${name}'`),
      ).toEqual([{ 'ecm:uuid': uid }]);
  });
});
