import { beforeAll, describe, expect, test } from '@jest/globals';
import { deny, setAcl } from '../../support/acls.ts';
import { createDocument, type DocumentEntity, namesIn } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';

const server = useServer();
const bob = useUser(server, 'bob', ['members']);
let folder: DocumentEntity;
beforeAll(async () => {
  folder = await createDocument(server, { type: 'Folder' });
  for (const name of ['a', 'b', 'c'])
    await createDocument(server, {
      parent: folder.path,
      name,
      properties: { 'dc:title': `title, ${name}`, 'dc:nature': name === 'c' ? 'memo' : 'report' },
    });
});

const run = (params: Record<string, unknown>, agent = bob) =>
  call(agent, 'Repository.PageProvider', { params: { providerName: 'default_search', ...params } });

describe("§4.7 'Repository.PageProvider'", () => {
  const below = () => ({ ecm_path: folder.path });
  const byTitle = { sortBy: 'dc:title', sortOrder: 'asc' };

  test('answers with the page that the parameters specify', async () => {
    const all = await run({ namedParameters: below(), ...byTitle }).expect(200);
    expect(namesIn(all)).toEqual(['a', 'b', 'c']);
    expect(all.body).toMatchObject({ 'entity-type': 'documents', pageSize: 20, resultsCount: 3 });
    const second = await run({
      namedParameters: below(),
      ...byTitle,
      pageSize: 2,
      currentPageIndex: 1,
    }).expect(200);
    expect(namesIn(second)).toEqual(['c']);
    const skipped = await run({ namedParameters: below(), ...byTitle, offset: '1', maxResults: '2' }).expect(
      200,
    );
    expect(namesIn(skipped)).toEqual(['b']);
  });

  test('answers by named parameters as objects or lines, under older names too', async () => {
    for (const namedParameters of [
      { ...below(), dc_nature: ['report'] },
      { ...below(), dc_nature: '["report"]' },
      `ecm_path=${folder.path}\ndc_nature=report`,
    ]) {
      expect(namesIn(await run({ namedParameters, ...byTitle }).expect(200))).toEqual(['a', 'b']);
    }
    const older = { namedQueryParams: { ...below(), 'defaults:dc_nature': 'memo' } };
    expect(namesIn(await run(older).expect(200))).toEqual(['c']);
  });

  test('answers by positional parameters and quick filters, with aggregates and highlights', async () => {
    const children = { providerName: 'document_content', queryParams: folder.uid };
    expect(namesIn(await run(children).expect(200))).toEqual(['a', 'b', 'c']);
    const { body } = await run({
      namedParameters: { ...below(), ecm_fulltext: 'title', dc_nature_agg: ['memo'] },
      quickFilters: 'noFolder',
      highlights: 'dc:title.fulltext',
      documentLinkBuilder: 'x',
    })
      .set('enrichers.document', 'highlight')
      .expect(200);
    expect(body.quickFilters[0]).toEqual({ name: 'noFolder', active: true });
    expect(body.aggregations.dc_nature_agg.buckets).toEqual([
      { key: 'report', docCount: 2 },
      { key: 'memo', docCount: 1 },
    ]);
    expect(body.entries[0].contextParameters.highlight).toEqual([
      { field: 'dc:title.fulltext', segments: ['<em>title</em>, c'] },
    ]);
    const without = await run({ namedParameters: below() }).set('skipAggregates', 'true').expect(200);
    expect(without.body).not.toHaveProperty('aggregations');
  });

  test('answers under its older name and as an adapter', async () => {
    const params = { providerName: 'document_content', queryParams: [folder.uid] };
    const older = await call(bob, 'Document.PageProvider', { params }).expect(200);
    expect(namesIn(older)).toEqual(['a', 'b', 'c']);
    const adapter = `/api/v1/id/${folder.uid}/@op/Repository.PageProvider`;
    expect(namesIn(await bob.post(adapter).send({ params }).expect(200))).toEqual(['a', 'b', 'c']);
  });

  test('answers at the same cost for any number of documents', async () => {
    const cost = async (pageSize: number) => {
      const ask = () =>
        run({ namedParameters: below(), pageSize }).set('enrichers.document', 'acls,tags').expect(200);
      await ask();
      return statements(await ask());
    };
    expect(await cost(3)).toBe(await cost(1));
  });

  test('needs Read on the documents that it lists and counts', async () => {
    const closed = await createDocument(server, {
      parent: folder.path,
      name: 'd',
      properties: { 'dc:nature': 'memo' },
    });
    await setAcl(server, closed.path, [deny('Everyone', 'Everything')]);
    const { body } = await run({ namedParameters: below() }).expect(200);
    expect(body.resultsCount).toBe(3);
    expect(body.aggregations.dc_nature_agg.buckets.at(-1)).toEqual({ key: 'memo', docCount: 1 });
    const own = await run({ namedParameters: below() }, server.request).expect(200);
    expect(own.body.resultsCount).toBe(4);
  });

  test('refuses unknown page providers and invalid values', async () => {
    const { body } = await run({ providerName: 'no_search' }).expect(404);
    expect(body.message).toContain('no_search');
    await call(bob, 'Repository.PageProvider', { params: {} }).expect(400);
    for (const [params, words] of [
      [{ namedParameters: { dc_created_min: 'x' } }, 'dc_created_min'],
      [{ namedParameters: { dc_creator: { id: 'x' } } }, 'dc_creator'],
      [{ namedParameters: 5 }, 'namedParameters'],
      [{ quickFilters: 'x' }, 'quickFilters'],
      [{ pageSize: -2 }, 'pageSize'],
    ] as const) {
      const answer = await run(params).expect(400);
      expect(answer.body.message).toContain(words);
    }
  });
});
