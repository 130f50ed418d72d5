import { beforeAll, describe, expect, test } from '@jest/globals';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import { statements, useServer } from '../../support/server.ts';
import { type Given, list } from './search-requests.ts';

const server = useServer();
let folder: DocumentEntity;

const documents: Readonly<Record<string, { type: string; properties: Record<string, unknown> }>> = {
  report: {
    type: 'Note',
    properties: {
      'dc:title': 'Annual-Réport <b>2024</b> & "more"',
      'dc:description': 'Of every report, one is annual',
      'note:note': `${'begin '.repeat(40)}annual${' middle'.repeat(40)} report ${'end '.repeat(40)}`,
      'dc:subjects': ['art'],
    },
  },
  memo: { type: 'Note', properties: { 'dc:title': 'Memo', 'dc:description': 'annual' } },
};

beforeAll(async () => {
  folder = await createDocument(server, { type: 'Folder' });
  for (const [name, { type, properties }] of Object.entries(documents))
    await createDocument(server, { parent: folder.path, type, name, properties });
});

const search = (given: Given, headers: Record<string, string> = { 'enrichers.document': 'highlight' }) =>
  list(server.request, 'default_search', { ecm_path: folder.path, ...given }, headers).expect(200);

interface Entry extends DocumentEntity {
  readonly contextParameters: { readonly highlight: Array<{ field: string; segments: string[] }> };
}

/** Returns the highlighted segments of a document by field. */
async function highlights(given: Given, of = 'report'): Promise<Record<string, string[]>> {
  const { body } = await search(given);
  const entry = (body.entries as Entry[]).find(({ name }) => name === of);
  return Object.fromEntries(
    (entry?.contextParameters.highlight ?? []).map(({ field, segments }) => [field, segments]),
  );
}

const title = 'Annual-Réport &lt;b&gt;2024&lt;/b&gt; &amp; &quot;more&quot;';

describe('§4.9 highlight', () => {
  test.each([
    ['report', title.replace('Réport', '<em>Réport</em>')],
    ['REPÓRT annual', '<em>Annual</em>-<em>Réport</em> &lt;b&gt;2024&lt;/b&gt; &amp; &quot;more&quot;'],
    ['ann*', title.replace('Annual', '<em>Annual</em>')],
    ['"annual report"', '<em>Annual</em>-<em>Réport</em> &lt;b&gt;2024&lt;/b&gt; &amp; &quot;more&quot;'],
    ['2024 OR nothing', title.replace('2024', '<em>2024</em>')],
    ['2024 -nothing', title.replace('2024', '<em>2024</em>')],
  ])('marks %s in a title', async (ecm_fulltext, segment) => {
    expect((await highlights({ ecm_fulltext, highlight: 'dc:title.fulltext' }))['dc:title.fulltext']).toEqual(
      [segment],
    );
  });

  test('keeps the order and spelling of the requested fields and omits those without a match', async () => {
    const fields =
      'dc:description.fulltext,dc:title,dc:subjects,dc:nothing,x,note:note.fulltext,file:content.name';
    const found = await highlights({ ecm_fulltext: 'annual', highlight: fields });
    expect(Object.keys(found)).toEqual(['dc:description.fulltext', 'dc:title', 'note:note.fulltext']);
    expect(found['dc:description.fulltext']).toEqual(['Of every report, one is <em>annual</em>']);
  });

  test('returns the passages around the words of a long text', async () => {
    const { 'note:note': segments = [] } = await highlights({
      ecm_fulltext: 'annual report',
      highlight: 'note:note',
    });
    expect(segments).toHaveLength(2);
    expect(segments[0]).toMatch(/^(begin ){10}<em>annual<\/em>( middle){10}$/);
    expect(segments[1]).toMatch(/^(middle ){10}<em>report<\/em>( end){10}$/);
  });

  test.each([
    [
      'text/html',
      '<p class="found">Hello <b>found</b> &amp; <i>a</i>&nbsp;b &lt;c&gt;</p>',
      'Hello <em>found</em> &amp; a b &lt;c&gt;',
    ],
    ['text/plain', 'Hello <b>found</b>', 'Hello &lt;b&gt;<em>found</em>&lt;/b&gt;'],
  ])('shows the text of a note of %s, escaped once', async (mimeType, note, segment) => {
    const name = `of-${mimeType.slice(5)}`;
    const properties = { 'note:note': note, 'note:mime_type': mimeType };
    await createDocument(server, { parent: folder.path, type: 'Note', name, properties });
    const found = await highlights({ ecm_fulltext: 'found', highlight: 'note:note' }, name);
    expect(found['note:note']?.map((text) => text.replace(/\u00a0/g, ' '))).toEqual([segment]);
    await server.request.delete(`/api/v1/path${folder.path}/${name}`).expect(204);
  });

  test('uses the fields of the page provider by default', async () => {
    const { body } = await search({ ecm_fulltext: 'memo' });
    expect(body.entries[0].contextParameters).toEqual({
      highlight: [{ field: 'dc:title', segments: ['<em>Memo</em>'] }],
    });
  });

  test('is empty for a search without full text', async () => {
    const { body } = await search({ highlight: 'dc:title' });
    expect(body.entries).toHaveLength(2);
    for (const { contextParameters } of body.entries) expect(contextParameters).toEqual({ highlight: [] });
  });

  test('is missing without the enricher, and empty for a document outside of searches', async () => {
    const { body } = await search({ ecm_fulltext: 'memo', highlight: 'dc:title' }, {});
    expect(body.entries[0]).not.toHaveProperty('contextParameters');
    const alone = await server.request
      .get(`/api/v1/id/${folder.uid}?highlight=dc:title`)
      .set('enrichers.document', 'highlight')
      .expect(200);
    expect(alone.body.contextParameters).toEqual({});
  });

  test('is limited to the property that the full-text condition names', async () => {
    const query =
      "SELECT * FROM Note WHERE ecm:isVersion = 0 AND ecm:fulltext.dc:description = 'annual' AND NOT ecm:fulltext = 'memo'";
    const { body } = await list(
      server.request,
      'nxql_search',
      { queryParams: query, highlight: 'dc:title,dc:description' },
      { 'enrichers.document': 'highlight' },
    ).expect(200);
    expect(body.entries.map(({ name }: Entry) => name)).toEqual(['report']);
    expect(body.entries[0].contextParameters.highlight).toEqual([
      { field: 'dc:description', segments: ['Of every report, one is <em>annual</em>'] },
    ]);
  });

  test.each([
    ["ecm:fulltext_title = 'annual'", ['dc:title']],
    ["ecm:fulltext.title = 'annual'", ['dc:title']],
    ["ecm:fulltext.dc:subjects/* = 'art'", ['dc:subjects']],
    ["ecm:fulltext.dc:subjects[*] = 'art'", ['dc:subjects']],
    ["ecm:fulltext.dc:subjects[0] = 'art'", ['dc:subjects']],
    ["ecm:fulltext.subjects/0 = 'art'", ['dc:subjects']],
    ["ecm:fulltext IN ('nothing', 'annual')", ['dc:title', 'dc:description']],
    ["ecm:fulltext.dc:description IN ('annual')", ['dc:description']],
    ['ecm:fulltext = 2024', ['dc:title']],
  ])('has the fields with the words of %s', async (condition, fields) => {
    const query = `SELECT * FROM Note WHERE ecm:isVersion = 0 AND ecm:name = 'report' AND ${condition}`;
    const { body } = await list(
      server.request,
      'nxql_search',
      { queryParams: query, highlight: 'dc:title,dc:description,dc:subjects' },
      { 'enrichers.document': 'highlight' },
    ).expect(200);
    const entries: Entry[] = body.entries;
    const found = entries.flatMap(({ contextParameters }) => contextParameters.highlight);
    expect(found.map(({ field }) => field)).toEqual(fields);
  });

  test('costs no additional SQL statement', async () => {
    const cost = async (headers: Record<string, string>) => {
      const given = { ecm_fulltext: 'annual', highlight: 'dc:title,note:note' };
      await search(given, headers);
      return statements(await search(given, headers));
    };
    expect(await cost({ 'enrichers.document': 'highlight' })).toBe(await cost({}));
  });
});
