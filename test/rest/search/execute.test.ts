/** @group every-database */

import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createDocument, type DocumentEntity, namesIn } from '../../support/documents.ts';
import { statements, useServer } from '../../support/server.ts';
import { search } from './search-requests.ts';

const server = useServer();
let folder: DocumentEntity;
beforeAll(async () => {
  folder = await createDocument(server, { type: 'Folder', name: 'found' });
  for (const name of ['b', 'a', 'c']) {
    const properties = { 'dc:title': name, 'dc:description': `of ${name}` };
    await createDocument(server, { parent: folder.path, type: 'Note', name, properties });
  }
});

const notes = (more = '') => `SELECT * FROM Note WHERE ecm:parentId = '${folder.uid}'${more}`;
describe('§4.7 GET /search/execute', () => {
  test('answers a page of documents', async () => {
    const { body } = await search(server.request, notes(' ORDER BY dc:title')).expect(200);
    expect(body).toMatchObject({
      'entity-type': 'documents',
      isPaginable: true,
      resultsCount: 3,
      pageSize: 0,
      maxPageSize: 1000,
      currentPageSize: 3,
      currentPageIndex: 0,
      numberOfPages: 1,
      totalSize: 3,
    });
    expect(namesIn({ body })).toEqual(['a', 'b', 'c']);
    const one = await server.request.get(`/api/v1/id/${body.entries[0].uid}`).expect(200);
    expect(body.entries[0]).toEqual(one.body);
  });

  test.each(['/search/lang/NXQL/execute', '/search/lang/nxql/execute', '/query', '/query/NXQL'])(
    '%s answers the same page',
    async (address) => {
      const { body } = await server.request.get(`/api/v1${address}`).query({ query: notes() }).expect(200);
      expect(body).toEqual((await search(server.request, notes()).expect(200)).body);
      expect(body.resultsCount).toBe(3);
    },
  );

  test('supports the headers of document lists', async () => {
    const headers = { properties: 'dublincore', 'enrichers.document': 'breadcrumb', skipAggregates: 'true' };
    const { body } = await search(server.request, notes(" AND dc:title = 'a'")).set(headers).expect(200);
    expect(body.entries).toHaveLength(1);
    expect(Object.keys(body.entries[0].properties)).not.toContain('note:note');
    expect(body.entries[0].properties['dc:description']).toBe('of a');
    expect(body.entries[0].contextParameters.breadcrumb.entries.at(-1).uid).toBe(folder.uid);
  });

  test('returns all documents but workflow models without a query', async () => {
    const { body } = await server.request.get('/api/v1/search/execute').query({ pageSize: 1 }).expect(200);
    const models = { in: ['DocumentRoute', 'DocumentRouteModelsRoot'] };
    const all = await server.database.prisma.document.count({ where: { NOT: { type: models } } });
    expect(body).toMatchObject({ resultsCount: all, currentPageSize: 1, numberOfPages: all });
  });

  test.each([
    ['pages', { pageSize: 2 }, ['a', 'b'], 3],
    ['the next page', { pageSize: 2, currentPageIndex: 1 }, ['c'], 3],
    ['an offset', { pageSize: 2, offset: 1 }, ['b', 'c'], 3],
    ['a page past the end', { pageSize: 2, currentPageIndex: 9 }, [], 3],
    ['maxResults', { maxResults: 2 }, ['a', 'b'], 2],
    ['maxResults with pages', { maxResults: 2, pageSize: 1, currentPageIndex: 1 }, ['b'], 2],
    ['another order', { sortBy: 'dc:title', sortOrder: 'desc' }, ['c', 'b', 'a'], 3],
    ['an order of several keys', { sortBy: 'dc:nature,ecm:name', sortOrder: 'asc,asc' }, ['a', 'b', 'c'], 3],
    ['more than there can be on a page', { pageSize: 5000 }, ['a', 'b', 'c'], 3],
  ])('supports %s', async (_, asked, names, count) => {
    const { body } = await search(server.request, notes(' ORDER BY dc:title'), asked).expect(200);
    expect(namesIn({ body })).toEqual(names);
    expect(body.resultsCount).toBe(count);
  });

  test('fills in positional, named and built-in parameters of the query', async () => {
    const query = 'SELECT * FROM Note WHERE ecm:parentId = ? AND dc:title IN (:some, ?)';
    const asked = { queryParams: `${folder.uid},b`, some: 'a' };
    expect(namesIn(await search(server.request, query, asked).expect(200)).sort()).toEqual(['a', 'b']);
    const commas = { queryParams: 'of a, b' };
    expect(
      namesIn(await search(server.request, notes(' AND dc:description = ?'), commas).expect(200)),
    ).toEqual([]);
    const several = { queryParams: [folder.uid, 'x,b'], some: 'a' };
    expect(namesIn(await search(server.request, query, several).expect(200))).toEqual(['a']);
    const listed = notes(' AND dc:title IN ?');
    const list = { queryParams: '["a","c"]' };
    expect(namesIn(await search(server.request, listed, list).expect(200)).sort()).toEqual(['a', 'c']);
    const over = await search(server.request, query, { ...asked, queryParams: 'a,b,c' }).expect(400);
    expect(over.body.message).toBe('queryParams: the query has 2 parameters; got 3');
    const own = notes(' AND dc:creator = $currentUser');
    expect(namesIn(await search(server.request, own).expect(200))).toHaveLength(3);
    const evil = await search(server.request, notes(' AND dc:title = :title'), { title: "' OR '1' = '1" });
    expect(evil.body.resultsCount).toBe(0);
  });

  test('finds properties by names without prefix, where one schema of documents has them', async () => {
    const type = `FROM Note WHERE ecm:parentId = '${folder.uid}'`;
    const names = async (rest: string) =>
      namesIn(await search(server.request, `SELECT * ${type} ${rest}`).expect(200));
    expect(await names("AND title = 'a'")).toEqual(['a']);
    expect(await names("AND title IN ('a', 'b') ORDER BY title DESC")).toEqual(['b', 'a']);
    expect(await names("AND uid = 'x'")).toEqual([]);
    expect(await names('AND major_version = 0 ORDER BY title')).toHaveLength(3);
    expect(await names("AND contributors/* = 'Administrator' AND title LIKE 'a%'")).toEqual(['a']);
    expect(await names("AND ecm:fulltext.title = 'a'")).toEqual(['a']);
    expect(await names("AND contributors/*1 = 'Administrator' AND title = 'a'")).toEqual(['a']);
  });

  test.each<[string, RegExp]>([
    ['SELECT', /query: at 7: expected a property, found the end/],
    ['SELECT * FROM Nothing', /Type: Nothing does not exist/],
    ["SELECT * FROM File WHERE dc:nothing = 'a'", /unknown property: dc:nothing/],
    ["SELECT * FROM File WHERE nothing = 'a'", /unknown property: nothing/],
    ["SELECT * FROM File WHERE source = 'a'", /source is in several schemas: dc:source, picture:source/],
    ["SELECT * FROM File WHERE ecm:nothing = 'a'", /unknown property: ecm:nothing/],
    [
      'SELECT * FROM File WHERE ecm:fulltextScore > 1',
      /ecm:fulltextScore can only be a sort key or a column/,
    ],
    [
      "SELECT * FROM File WHERE collectionMember:collectionIds/0 = 'a'",
      /collectionIds does not have numbered elements/,
    ],
    [
      "SELECT * FROM File WHERE collection:documentIds/*1 = 'a'",
      /documentIds does not have numbered elements/,
    ],
    ["SELECT * FROM File WHERE files:files/x = 'a'", /unknown property: files:files\/x/],
    ["SELECT * FROM File WHERE file:content = 'a'", /file:content cannot be compared by value/],
    [
      "SELECT * FROM File WHERE file:content/length = 'a'",
      /file:content\/length must be compared with a number/,
    ],
    ['SELECT * FROM File WHERE dc:title = TRUE', /dc:title must be compared with a string/],
    ["SELECT * FROM File WHERE dc:created > 'a'", /"a" is not a W3C date-time/],
    ['SELECT * FROM File WHERE dc:created > 1', /dc:created must be compared with a date/],
    ['SELECT * FROM File WHERE ecm:isProxy = 2', /ecm:isProxy must be compared with 0 or 1/],
    ['SELECT * FROM File WHERE ecm:isProxy > 0', /ecm:isProxy cannot be compared by >/],
    ["SELECT * FROM File WHERE ecm:uuid LIKE 'a'", /ecm:uuid cannot be compared by LIKE/],
    ["SELECT * FROM File WHERE ecm:mixinType > 'a'", /ecm:mixinType cannot be compared by >/],
    [
      "SELECT * FROM File WHERE ecm:fulltext.uid:major_version = '1'",
      /uid:major_version cannot be searched for words/,
    ],
    ["SELECT * FROM File WHERE ecm:fulltext.file:content/length = '1'", /it is not a string/],
    ["SELECT * FROM File WHERE ecm:fulltext.collection:documentIds = 'a'", /it is not a string/],
    ['SELECT * FROM File WHERE ecm:fulltext IS NULL', /ecm:fulltext cannot be compared by IS NULL/],
    ["SELECT * FROM File WHERE file:content/length LIKE '1'", /LIKE, because it is not a string/],
    ["SELECT * FROM File WHERE DATE(dc:title) = DATE '2024-01-01'", /dc:title cannot be compared by day/],
    [
      "SELECT * FROM File WHERE dc:created > NOW('P999999Y')",
      /is not a valid point in time|not within the years/,
    ],
    [
      `SELECT * FROM File WHERE ecm:fulltext = '${'a '.repeat(201)}'`,
      /too many words to search for: the maximum is 200/,
    ],
    ['SELECT * FROM File ORDER BY dc:subjects', /results cannot be sorted by dc:subjects/],
    ['SELECT * FROM File ORDER BY ecm:fulltext', /results cannot be sorted by ecm:fulltext/],
    [
      `SELECT * FROM File ORDER BY ${Array(21).fill('dc:title').join(', ')}`,
      /too many properties to sort by: the maximum is 20/,
    ],
    ['SELECT dc:title FROM File', /only Repository\.ResultSetQuery can select columns/],
    ["SELECT * FROM File WHERE dc:title = 'a\0'", /NUL/],
  ])('answers 400 with a reason to %j', async (query, message) => {
    const { body } = await search(server.request, query).expect(400);
    expect(body).toMatchObject({ 'entity-type': 'exception', status: 400 });
    expect(body.message).toMatch(message);
  });

  test.each([
    ["WHERE dc:nope = 'a'", 'at 26: unknown property: dc:nope'],
    ["WHERE dc:title = 'a' AND NOT (dc:nope IS NULL OR x:y = 1)", 'at 50: unknown property: dc:nope'],
    ["WHERE dc:title = 'a' AND dc:nope IS NOT NULL", 'at 45: unknown property: dc:nope'],
    ["WHERE dc:nope/*1 = 'a'", 'at 26: unknown property: dc:nope/*'],
    ["WHERE ecm:fulltext.nope = 'a'", 'at 26: unknown property: nope'],
    ["WHERE ecm:mixinType > 'a'", 'at 26: ecm:mixinType cannot be compared by >'],
    ["WHERE uid:major_version = 'x'", 'at 26: uid:major_version must be compared with a number; got "x"'],
    ["WHERE dc:created > 'x'", 'at 26: dc:created: "x" is not a W3C date-time'],
    [
      ', Nope',
      'at 22: Type: Nope does not exist. Did you mean Note? GET /api/v1/config/types lists the types.',
    ],
    ['ORDER BY dc:title, dc:nope', 'at 39: unknown property: dc:nope'],
    ['ORDER BY dc:subjects', 'at 29: results cannot be sorted by dc:subjects'],
  ])('names the position of what is wrong in %s', async (rest, fault) => {
    const { body } = await search(server.request, `SELECT * FROM File ${rest}`).expect(400);
    expect(body.message).toBe(`query: ${fault}`);
  });

  test.each([
    ['/search/lang/SQL/execute', {}],
    ['/search/execute', { pageSize: 'x' }],
    ['/search/execute', { currentPageIndex: -1 }],
    ['/search/execute', { sortBy: 'dc:nothing' }],
  ])('answers 400 for %s with %j', async (address, asked) => {
    await server.request
      .get(`/api/v1${address}`)
      .query({ query: notes(), ...asked })
      .expect(400);
  });

  test('answers 401 without credentials and 405 to POST', async () => {
    await server.anonymous.get('/api/v1/search/execute').expect(401);
    await server.request.post('/api/v1/search/execute').send({}).expect(405);
  });

  test('never answers 500 to generated queries', async () => {
    const garbage = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'binary' }).map((text) => `SELECT * FROM Document WHERE dc:title LIKE '${text}'`),
      fc.string({ unit: 'binary' }).map((text) => `SELECT * FROM Document WHERE ${text} = 1`),
    );
    await fc.assert(
      fc.asyncProperty(garbage, async (query) => {
        const { status } = await search(server.request, query);
        expect([200, 400]).toContain(status);
      }),
      { numRuns: 60 },
    );
  });

  test('costs two SQL statements for any number of documents: the first one asks whether the index is behind', async () => {
    const cost = async (pageSize: number): Promise<number> => {
      const headers = { properties: '*', 'enrichers.document': 'breadcrumb,tags,permissions' };
      const asked = () => search(server.request, 'SELECT * FROM Document', { pageSize }).set(headers);
      await asked();
      return statements(await asked().expect(200));
    };
    const plain = await search(server.request, notes()).expect(200);
    expect(statements(plain)).toBe(2);
    expect(await cost(50)).toBe(await cost(2));
  });
});
