import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createDocument, type DocumentEntity, namesIn } from '../../support/documents.ts';
import { calling } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';
import { type Given, list } from './search-requests.ts';

const server = useServer();
const ann = useUser(server, 'ann', ['members']);
let folder: DocumentEntity;
let collection: DocumentEntity;

/** The documents in the folder, by name. */
const documents: Readonly<Record<string, Record<string, unknown>>> = {
  report: {
    'dc:title': 'Annual report',
    'dc:nature': 'report',
    'dc:subjects': ['art/cinema', 'sciences/biology'],
  },
  memo: {
    'dc:title': 'Short memo',
    'dc:nature': 'memo',
    'dc:subjects': ['art'],
    'dc:coverage': 'europe/France',
  },
  letter: { 'dc:title': 'Letter, reported', 'dc:expired': '2024-03-31T15:00:00Z' },
  note: { 'dc:title': '100% [sure]', 'dc:expired': '2024-02-01T00:00:00Z' },
};

const call = calling(server);

beforeAll(async () => {
  folder = await createDocument(server, { type: 'Folder', name: 'fol,der' });
  for (const [name, properties] of Object.entries(documents))
    await createDocument(server, { parent: folder.path, name, properties });
  await call('Document.AddPermission', folder.uid, { users: 'ann', permission: 'ReadWrite' }).expect(200);
  const own = await ann
    .post(`/api/v1/id/${folder.uid}`)
    .send({ 'entity-type': 'document', type: 'File', name: 'own' });
  expect(own.status).toBe(201);
  const tagged = `${folder.path}/memo`;
  await call('Services.TagDocument', tagged, { tags: 'urgent' }).expect(200);
  collection = await createDocument(server, { type: 'Collection', properties: { 'dc:title': 'My things' } });
  for (const name of ['report', 'letter'])
    await call('Document.AddToCollection', `${folder.path}/${name}`, { collection: collection.uid }).expect(
      200,
    );
});

/** Returns the sorted names that default_search finds in the folder. */
async function found(given: Given, name = 'default_search'): Promise<string> {
  const answer = await list(ann, name, {
    ...given,
    ...(name === 'default_search' && { ecm_path: JSON.stringify([folder.path]) }),
  });
  if (answer.status !== 200) throw new Error(answer.text);
  return namesIn(answer).sort().join(' ');
}

describe('§4.7 named parameters', () => {
  test.each([
    [{}, 'letter memo note own report'],
    [{ ecm_fulltext: 'report' }, 'report'],
    [{ ecm_fulltext: 'report*' }, 'letter report'],
    [{ 'defaults:ecm_fulltext': 'report' }, 'report'],
    [{ 'default_search:ecm_fulltext': 'report' }, 'report'],
    [{ ecm_fulltext: '' }, 'letter memo note own report'],
    [{ ecm_fulltext: '', 'defaults:ecm_fulltext': 'report' }, 'report'],
    [{ dc_creator: 'ann' }, 'own'],
    [{ dc_creator: '["ann"]' }, 'own'],
    [{ dc_creator: '["ann","Administrator"]' }, 'letter memo note own report'],
    [{ dc_creator: 'ann,Administrator' }, 'letter memo note own report'],
    [{ dc_creator: ['ann', 'Administrator'] }, 'letter memo note own report'],
    [{ dc_creator: '[]' }, 'letter memo note own report'],
    [{ dc_creator: '$currentUser' }, 'own'],
    [{ dc_creator: '["$currentUser"]' }, 'own'],
    [{ dc_creator: '["nobody"]' }, ''],
    [{ dc_creator: `["x' OR '1'='1"]` }, ''],
    [{ dc_nature: '["memo"]', ecm_fulltext: 'report' }, ''],
    [{ dc_subjects: '["art"]' }, 'memo report'],
    [{ dc_subjects: '["art/cinema","sciences"]' }, 'report'],
    [{ dc_coverage: '["europe"]' }, 'memo'],
    [{ ecm_tags: '["urgent"]' }, 'memo'],
    [{ unknown: 'x', 'dc:title': 'x', query: 'x' }, 'letter memo note own report'],
  ])('%j find the expected documents', async (given, names) => {
    expect(await found(given)).toBe(names);
  });

  test('restrict the results to a collection', async () => {
    expect(await found({ ecm_collections: JSON.stringify([collection.uid]) })).toBe('letter report');
    expect(await found({ ecm_collections: '["no id"]' })).toBe('');
  });

  test('restrict dates to a minimum, a maximum or both; a day includes its end', async () => {
    const expired = (given: Given) => found(given, 'expired_search');
    expect(await expired({})).toBe('letter note');
    expect(await expired({ expired_min: '2024-03-01' })).toBe('letter');
    expect(await expired({ expired_max: '2024-03-01' })).toBe('note');
    expect(await expired({ expired_min: '2024-02-02', expired_max: '2024-03-31' })).toBe('letter');
    expect(await expired({ expired_max: '2024-03-31T14:59:59Z' })).toBe('note');
    expect(await expired({ expired_max: '2024-03-31T16:00:00+01:00' })).toBe('letter note');
    expect(await expired({ title: 'letter' })).toBe('letter');
  });

  test('accept booleans and ids', async () => {
    const advanced = (given: Given) =>
      found({ ecm_parentId: folder.uid, ...given }, 'advanced_document_content');
    expect(await advanced({ ecm_trashed: 'false' })).toBe('letter memo note own report');
    expect(await advanced({ ecm_trashed: '0', title: 'rep*' })).toBe('letter report');
    expect(await advanced({ ecm_trashed: 'true' })).toBe('');
    expect(await advanced({ ecm_parentId: 'no id' })).toBe('');
  });

  test('match the start of titles; wildcard characters are literal', async () => {
    const collections = (searchTerm: string) => found({ searchTerm }, 'user_collections');
    const [name] = [collection.name];
    expect(await collections('my')).toBe(name);
    expect(await collections('My th%')).toBe(name);
    expect(await collections('m_')).toBe('');
    expect(await collections('things')).toBe('');
  });

  test.each([
    ['default_search', { dc_created_min: 'yesterday' }, 'dc_created_min'],
    ['default_search', { dc_modified_max: '2024-02-31' }, 'dc_modified_max'],
    ['default_search', { dc_creator: '["ann"' }, 'dc_creator'],
    ['default_search', { dc_creator: '[{"id":"ann"}]' }, 'dc_creator'],
    ['default_search', { dc_creator: '[null]' }, 'dc_creator'],
    ['default_search', { ecm_fulltext: ['a', 'b'] }, 'ecm_fulltext'],
    ['advanced_document_content', { ecm_trashed: 'perhaps' }, 'ecm_trashed'],
    ['nxql_search', { queryParams: 'SELECT' }, 'query: at'],
    ['nxql_search', { queryParams: 'SELECT * FROM Nothing' }, 'Nothing'],
    [
      'nxql_search',
      { queryParams: 'SELECT dc:title FROM Note' },
      'query: expected SELECT *; only Repository.ResultSetQuery',
    ],
    [
      'nxql_search',
      { queryParams: 'SELECT COUNT(ecm:uuid) FROM Note' },
      'query: expected SELECT *; only Repository.ResultSetQuery',
    ],
  ])('answer 400 naming the parameter: %s with %j', async (name, given, words) => {
    const { body } = await list(ann, name, given).expect(400);
    expect(body.message).toContain(words);
  });
});

describe('§4.7 positional parameters', () => {
  const titled = async (name: string, query: string) =>
    namesIn(await ann.get(`/api/v1/search/pp/${name}/execute?${query}`).expect(200))
      .sort()
      .join(' ');

  test('may contain commas where one text is expected', async () => {
    expect(
      await titled('default_document_suggestion', `queryParams=${encodeURIComponent('letter, rep')}`),
    ).toBe('letter');
    const query = `SELECT * FROM File WHERE dc:nature IN ('memo','report') AND ecm:path STARTSWITH '${folder.path}'`;
    expect(await titled('nxql_search', `queryParams=${encodeURIComponent(query)}`)).toBe('memo report');
    expect(await titled('nxql_search', `query=${encodeURIComponent(query)}`)).toBe('memo report');
    expect(await titled('domain_documents', `queryParams=${encodeURIComponent(folder.path)}`)).toBe(
      'letter memo note own report',
    );
  });

  test('are never interpreted as NXQL', async () => {
    expect(await titled('document_content', `queryParams=${encodeURIComponent("' OR 1=1")}`)).toBe('');
    expect(
      await titled('default_document_suggestion', `queryParams=${encodeURIComponent("') OR ('a' = 'a")}`),
    ).toBe('');
  });

  test('list the members of a collection, by title or in their own order', async () => {
    const members = async (name: string) =>
      namesIn(await ann.get(`/api/v1/id/${collection.uid}/@pp/${name}`).expect(200));
    expect(await members('default_content_collection')).toEqual(['report', 'letter']);
    expect(await members('ordered_content_collection')).toEqual(['report', 'letter']);
    await call('Document.MoveCollectionMember', collection.uid, { member1: `${folder.path}/letter` }).expect(
      200,
    );
    expect(await members('default_content_collection')).toEqual(['report', 'letter']);
    expect(await members('ordered_content_collection')).toEqual(['letter', 'report']);
  });

  test('may be more than the page provider uses', async () => {
    expect(await titled('document_content', `queryParams=${folder.uid}&queryParams=x`)).toBe('');
    const answer = await ann.get(`/api/v1/id/${folder.uid}/@pp/simple_search?ecm_fulltext=memo`).expect(200);
    expect(namesIn(answer)).toEqual(['memo']);
  });
});

test('§4.7 page providers never answer 500 to generated parameters', async () => {
  const names = ['ecm_fulltext', 'dc_creator', 'dc_created_min', 'ecm_path', 'dc_nature', 'ecm_collections'];
  const ids = [
    'dc_creator_agg',
    'common_size_agg',
    'dc_modified_agg',
    'quickFilters',
    'highlight',
    'queryParams',
  ];
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.constantFrom(...'ab"\'[]{},:-*%\\OR()&|!<> ') }),
    fc.json(),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  );
  const given = fc.dictionary(
    fc.constantFrom(...names, ...ids, ...names.map((name) => `defaults:${name}`)),
    text,
    {
      maxKeys: 4,
    },
  );
  const providers = fc.constantFrom(
    'default_search',
    'nxql_search',
    'user_collections',
    'default_document_suggestion',
  );
  await fc.assert(
    fc.asyncProperty(providers, given, async (name, parameters) => {
      const { status, body } = await list(ann, name, parameters, { 'enrichers.document': 'highlight' });
      expect([200, 400]).toContain(status);
      if (status === 400) expect(body.message).toMatch(/\w/);
    }),
    { numRuns: 60 },
  );
});

describe('§10 pageSize=-1', () => {
  test.each([
    '/path/default-domain/@children',
    '/search/execute?query=SELECT * FROM Domain',
    '/search/pp/default_search/execute',
    '/directory/continent',
    '/user/search?q=*',
    '/task',
  ])('of %s is a page of as many entries as possible', async (address) => {
    const page = (size: number) =>
      server.request.get(`/api/v1${address}${address.includes('?') ? '&' : '?'}pageSize=${size}`);
    const { entries, pageSize } = (await page(-1).expect(200)).body;
    expect({ entries, pageSize }).toEqual({
      entries: (await page(0).expect(200)).body.entries,
      pageSize: (await page(0).expect(200)).body.pageSize,
    });
  });
});
