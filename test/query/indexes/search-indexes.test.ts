import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../../src/db/database.ts';
import { createLoaders, type Loaders } from '../../../src/loaders/index.ts';
import { requireValidQueries } from '../../../src/loaders/search/valid-queries.ts';
import { loadModel, stockModel } from '../../../src/model/contributed/contributed.ts';
import type { Model } from '../../../src/model/model.ts';
import { parseQuery } from '../../../src/query/parse.ts';
import { buildIndex } from '../../../src/store/search/build-index.ts';
import { modelOf } from '../../model/model-of.ts';
import { layDocuments } from '../../support/laid-documents.ts';
import { testScope } from '../../support/scope.ts';
import { useServer } from '../../support/server.ts';
import { plansOf, visitedRows } from '../../support/visited-rows.ts';

const declared = ['dc:source', 'dc:expired', 'file:content/length', 'dc:subjects', 'files:files/*/file/name'];
const server = useServer({}, { indexes: declared.map((property) => ({ property })) });
let model: Model;

const aclId = (number: string) => `('00000000-0000-8000-8000-' || lpad((${number})::text, 12, '0'))::uuid`;

/** The first 20 are ann's, by one ACL; 600 others are bob's, each by its own. */
const acls = `INSERT INTO effective_acl (repository, id, entries)
  SELECT 'default', ${aclId('n')}, jsonb_build_array(jsonb_build_object('granted', true, 'permission', 'Read',
    'username', CASE WHEN n = 20 THEN 'ann' ELSE 'bob' END))
  FROM generate_series(20, 620) n`;

/** As many documents as PostgreSQL uses an index for. */
const lay = `INSERT INTO document
    (repository, id, parent_id, ancestor_ids, name, path, type, title, acl_id, properties, facets)
  SELECT r.repository, gen_random_uuid(), r.id, ARRAY[r.id], 'n' || md5(n::text), '/n' || md5(n::text), 'File',
    md5(n::text), CASE WHEN n <= 620 THEN ${aclId('greatest(20, n)')} ELSE r.acl_id END, jsonb_build_object('dc:title', md5(n::text), 'dc:source', md5((n + 7)::text),
      'dc:subjects', jsonb_build_array('art', md5((n + 11)::text) || '/x'),
      'files:files', jsonb_build_array(jsonb_build_object('file', jsonb_build_object('name', md5((n + 13)::text)))),
      'file:content', jsonb_build_object('name', md5((n + 9)::text) || '.pdf', 'length', n))
    || CASE WHEN n % 2 = 0 THEN jsonb_build_object('dc:expired', t.day, 'dc:modified', t.day) ELSE '{}' END, '{}'
  FROM document r, generate_series(1, 6000) n, LATERAL (
    SELECT to_char(timestamp '2020-01-01' + n * interval '1 day', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"') AS day) t
  WHERE r.path = '/'`;

beforeAll(async () => {
  model = await loadModel(join(server.dataDir, 'model'));
  await server.database.query({ name: '', text: acls }, []);
  await layDocuments(server, lay);
  const signal = new AbortController().signal;
  await buildIndex(server.database, { onProgress: () => {}, signal });
});

const page = { pageSize: 20, offset: 0, maxResults: undefined, sortBy: [], sortOrder: [] };

const parsed = (query: string) =>
  parseQuery(query, {
    positional: [],
    named: {},
    variables: { currentUser: '', currentRepository: '' },
  });

/** What reads answer, and their last statement. */
async function sentBy<T>(read: (load: Loaders) => Promise<T>, given: Parameters<typeof testScope>[1] = {}) {
  const sent: Array<Parameters<Client['query']>> = [];
  const { database } = server;
  const query: Client['query'] = (...asked) => {
    sent.push(asked);
    return database.query(...asked);
  };
  const client = Object.assign(Object.create(database), { query }) as Client;
  const answer = await read(createLoaders(testScope(client, { model, ...given })));
  const [{ text }, values] = sent.at(-1) ?? [{ text: '' }, []];
  return { answer, text, values };
}

/** Executes a statement, and returns its plan. */
async function planOf(text: string, values: readonly unknown[]): Promise<string> {
  const explain = { name: '', text: `EXPLAIN (ANALYZE, TIMING OFF, SUMMARY OFF) ${text}` };
  const lines = await server.database.query<{ 'QUERY PLAN': string }>(explain, values);
  return lines.map((line) => line['QUERY PLAN']).join('\n');
}

/** Returns the lines of a plan without the steps that PostgreSQL did not execute. */
const executed = (plan: string): string =>
  plan
    .split('\n')
    .filter((line) => !line.endsWith('(never executed)'))
    .join('\n');

/** What a search finds, and the plan of it. */
async function searched(where: string, given: Parameters<typeof testScope>[1] = {}) {
  const query = parsed(`SELECT * FROM File WHERE ${where}`);
  const { answer, text, values } = await sentBy((load) => load.search(query, page), given);
  return { ...answer, text, values, plan: await planOf(text, values) };
}

const reader = (id: string) => ({ user: { id, groups: [], isAdministrator: false } });

describe('§4.7 is answered from an index', () => {
  test.each([
    ["dc:title LIKE '%c4ca4238%'", 1],
    ["dc:title ILIKE 'C4CA%'", 1],
    ["ecm:name LIKE '%c4ca4238%'", 1],
    ["file:content/name ILIKE '%D3D9446802%.PDF'", 1],
    ["dc:source LIKE '%d3d9446802%'", 1],
    ["dc:source STARTSWITH 'd3d9446802a44259755d38e6d163e820'", 1],
    ["dc:title LIKE '%c4ca4238%' OR dc:source ILIKE '%D3D9446802%'", 2],
    ["dc:title LIKE 'c%a4238a0b%'", 1],
    ["dc:subjects STARTSWITH '6512bd43d9caa6e02c990b0a82652dca'", 0],
    ["dc:subjects STARTSWITH 'c20ad4d76fe97759aa27a0c99bff6710'", 1],
    ["dc:subjects/* ILIKE 'C20AD4D76F%'", 1],
    ["files:files/*/file/name LIKE '%aab3238922bcc25a6f606eb525ffdc56%'", 1],
    ['file:content/length BETWEEN 100 AND 109', 10],
    ['file:content/length > 5990', 10],
    ['file:content/length IS NULL AND dc:source IS NULL', 0],
    ["dc:expired >= DATE '2036-06-01'", 3],
    ["DATE(dc:expired) BETWEEN DATE '2020-02-01' AND DATE '2020-02-09'", 4],
  ])('%s', async (where, count) => {
    const { total, plan } = await searched(where);
    expect(total).toBe(count);
    expect(plan).toMatch(/Scan (?:using|on) search_value_/);
    expect(executed(plan)).not.toMatch(/Seq Scan on (?:search_)?document/);
  });

  test.each([
    ['file:content/length', [1, 2, 3]],
    ['file:content/length DESC', [6000, 5999, 5998]],
    ['dc:expired', [2, 4, 6]],
    ['dc:expired DESC', [6000, 5998, 5996]],
  ])('ORDER BY %s, the unset last', async (order, lengths) => {
    const { rows, plan } = await searched(`ecm:isTrashed = 0 ORDER BY ${order}`);
    const found = rows.map(({ properties }) => (properties['file:content'] as { length: number }).length);
    expect(found.slice(0, 3)).toEqual(lengths);
    expect(plan).toMatch(/Index Scan using search_value_/);
  });

  test('ORDER BY ecm:name DESC, by its index read backwards', async () => {
    const { rows, plan } = await searched('ecm:isTrashed = 0 ORDER BY ecm:name DESC');
    expect(rows.map(({ name }) => name)).toEqual(
      rows
        .map(({ name }) => name)
        .toSorted()
        .reverse(),
    );
    expect(plan).toMatch(/Index (?:Only )?Scan Backward using search_document_repository_name/);
  });

  test('ORDER BY dc:modified, by the index of the other direction', async () => {
    const { rows, plan } = await searched('ecm:isTrashed = 0 ORDER BY dc:modified');
    const found = rows.map(({ properties }) => (properties['file:content'] as { length: number }).length);
    expect(found.slice(0, 3)).toEqual([2, 4, 6]);
    expect(plan).toMatch(/Index (?:Only )?Scan Backward using search_document_repository_modified/);
  });

  test.each([
    ['ecm:name', 'ecm:name DESC', /Backward using search_document_repository_name/],
    ['ecm:name', 'dc:title DESC', /Backward using search_document_repository_title/],
    ['dc:title', 'dc:title', /Scan using search_document_repository_title/],
    ['ecm:name, dc:subjects', 'dc:title', /Scan using search_document_repository_title/],
    ['ecm:name', 'dc:modified', /Backward using search_document_repository_modified/],
    ['file:content/length', 'file:content/length', /Scan using search_value_/],
  ])('records: SELECT %s … ORDER BY %s, whose values are read for a page', async (select, order, index) => {
    const query = parsed(`SELECT ${select} FROM File WHERE dc:modified IS NOT NULL ORDER BY ${order}`);
    const { answer, text, values } = await sentBy((load) => load.records(query, page), {
      config: { ...server.services.config, SEARCH_COUNT_LIMIT: 30 },
    });
    expect([answer.rows.length, answer.total]).toEqual([20, -2]);
    expect(await planOf(text, values)).toMatch(index);
    const [plan = []] = await plansOf(server.database, { name: '', text }, values);
    expect(visitedRows(plan, 'search_document')).toBeLessThan(600);
    expect(visitedRows(plan, 'document')).toBeLessThan(600);
  });

  test.each([
    ["ecm:path = '/nc4ca4238a0b923820dcc509a6f75849b'", 1, /document_path_idx/],
    ["ecm:name = 'nc4ca4238a0b923820dcc509a6f75849b'", 1, /search_document_repository_name_id_idx/],
    ["dc:modified = TIMESTAMP '2020-01-03 00:00:00'", 1, /search_document_repository_modified/],
    ["ecm:path LIKE '/default-domain/work%'", 0, /document_path_idx|ancestor_ids_idx/],
  ])('%s', async (where, count, index) => {
    const { total, plan } = await searched(where);
    expect(total).toBe(count);
    expect(plan).toMatch(index);
    expect(executed(plan)).not.toMatch(/Seq Scan on (?:search_)?document/);
  });

  test.each([
    'ecm:isTrashed = 0 ORDER BY dc:modified DESC',
    'ecm:isTrashed = 0',
    "dc:source <> 'x' ORDER BY dc:source",
    "NOT dc:title LIKE '%xyz%'",
  ])('%s, for a user who may read few of many documents', async (where) => {
    const { total, text, values } = await searched(where, reader('ann'));
    expect(total).toBe(20);
    const [plan = []] = await plansOf(server.database, { name: '', text }, values);
    expect(visitedRows(plan, 'search_document')).toBeLessThan(200);
  });

  test('a user with more ACLs than a search names finds what all of them grant', async () => {
    expect((await searched('ecm:isTrashed = 0', reader('bob'))).total).toBe(600);
    expect((await searched('ecm:isTrashed = 0', reader('cyd'))).total).toBe(0);
  });

  test('not what a pattern excludes, or with fewer than three letters or digits in a row', async () => {
    expect((await searched("NOT dc:title LIKE '%c4ca4238%'")).plan).not.toMatch(/search_value/);
    expect((await searched("dc:title LIKE '%c4%'")).plan).not.toMatch(/search_value/);
  });
});

test.each([
  ['dc:nothing', /unknown property: dc:nothing/],
  ['files:files/*/file/length', /is not a string, a list of strings, a number or a date/],
  ['files:files/0/file/name', /is not a string, a list of strings, a number or a date/],
  ['file:content', /is not a string, a list of strings, a number or a date/],
  ['collectionMember:collectionIds', /is not a string, a list of strings, a number or a date/],
  ['userprofile:gender', /is not a string, a list of strings, a number or a date/],
  ['ecm:pos', /unknown property: ecm:pos/],
  ['dc:modified', /dc:modified does not need an index, because it is indexed in every model/],
])('a model cannot ask for an index of %s', async (property, fault) => {
  const faulty = modelOf({ ...stockModel, indexes: [{ property }] });
  await expect(requireValidQueries(faulty)).rejects.toThrow(fault);
});
