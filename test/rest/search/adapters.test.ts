import { beforeAll, describe, expect, test } from '@jest/globals';
import { only, setAcl } from '../../support/acls.ts';
import { createDocument, type DocumentEntity, namesIn } from '../../support/documents.ts';
import { statements, useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';
import type { Given } from './search-requests.ts';

const server = useServer();
const ann = useUser(server, 'ann', ['members']);
let folder: DocumentEntity;
let file: DocumentEntity;

beforeAll(async () => {
  folder = await createDocument(server, { type: 'Folder', properties: { 'dc:title': 'report of all' } });
  const inner = await createDocument(server, { type: 'Folder', parent: folder.path, name: 'inner' });
  const titled = (parent: DocumentEntity, name: string, title: string) =>
    createDocument(server, { parent: parent.path, name, properties: { 'dc:title': title } });
  file = await titled(folder, 'b', 'report b');
  await titled(inner, 'a', 'report a');
  await titled(inner, 'c', 'memo');
  const trashed = await titled(inner, 'd', 'report d');
  await server.request.post(`/api/v1/id/${trashed.uid}/@op/Document.Trash`).send({}).expect(200);
  const closed = await titled(inner, 'e', 'report e');
  await setAcl(server, closed.path, only('Administrator', 'Everything'));
  await createDocument(server, { name: 'elsewhere', properties: { 'dc:title': 'report elsewhere' } });
});

const at = (document: DocumentEntity, by: string) =>
  `/api/v1${by === 'id' ? `/id/${document.uid}` : `/path${document.path}`}/@search`;

const search = (given: Given, document = folder, by = 'id') => ann.get(at(document, by)).query(given);

const titles = ({ body }: { body: { entries: DocumentEntity[] } }) => body.entries.map(({ title }) => title);

describe('§4.7 @search', () => {
  test.each(['path', 'id'])('finds words below a folder, including trashed documents (by %s)', async (by) => {
    const answer = await search({ fullText: 'report', orderBy: 'dc:title' }, folder, by).expect(200);
    expect(titles(answer)).toEqual(['report a', 'report b', 'report d']);
    expect(answer.body).toMatchObject({ 'entity-type': 'documents', resultsCount: 3, pageSize: 50 });
  });

  test('on a document that is no folder searches its parent folder', async () => {
    const answer = await search({ fullText: 'rep*', orderBy: 'dc:title desc' }, file).expect(200);
    expect(titles(answer)).toEqual(['report d', 'report b', 'report a']);
  });

  test('on the root searches the whole repository', async () => {
    const answer = await ann.get('/api/v1/path/@search').query({ fullText: 'report -elsewhere' }).expect(200);
    expect(answer.body.resultsCount).toBe(4);
  });

  test('runs an NXQL query without restricting it to the folder', async () => {
    const query =
      "SELECT * FROM File WHERE dc:title IN (?, 'report elsewhere') AND dc:title <> :other ORDER BY dc:title";
    const answer = await search({ query, queryParams: 'memo', other: 'x', fullText: 'report' }).expect(200);
    expect(titles(answer)).toEqual(['memo', 'report elsewhere']);
  });

  test('supports paging, sorting, highlights and the headers of documents', async () => {
    const given = {
      fullText: 'report',
      sortBy: 'dc:title',
      sortOrder: 'desc',
      pageSize: 1,
      currentPageIndex: 1,
    };
    const answer = await search({ ...given, highlight: 'dc:title' })
      .set({ 'enrichers.document': 'highlight', properties: 'dublincore' })
      .expect(200);
    expect(namesIn(answer)).toEqual(['b']);
    expect(answer.body).toMatchObject({ resultsCount: 3, numberOfPages: 3, currentPageIndex: 1 });
    expect(answer.body.entries[0].contextParameters.highlight).toEqual([
      { field: 'dc:title', segments: ['<em>report</em> b'] },
    ]);
  });

  test('/search/execute supports highlights too', async () => {
    const query = "SELECT * FROM Document WHERE ecm:fulltext = 'memo'";
    const { body } = await ann
      .get('/api/v1/search/execute')
      .query({ query, highlight: 'dc:title' })
      .set('enrichers.document', 'highlight')
      .expect(200);
    expect(body.entries[0].contextParameters.highlight).toEqual([
      { field: 'dc:title', segments: ['<em>memo</em>'] },
    ]);
  });

  test('costs the same number of SQL statements for many documents as for one', async () => {
    const cost = async (pageSize: number) => {
      await search({ fullText: 'report', pageSize }).set('enrichers.document', 'acls').expect(200);
      return statements(await search({ fullText: 'report', pageSize }).set('enrichers.document', 'acls'));
    };
    expect(await cost(3)).toBe(await cost(1));
  });

  test.each([
    [{}, 'Expecting a query or a fullText parameter'],
    [{ query: '', fullText: '' }, 'Expecting a query or a fullText parameter'],
    [{ query: 'SELECT' }, 'query: at'],
    [
      { fullText: 'x', orderBy: 'dc:title sideways' },
      'orderBy must be a property, optionally followed by asc or desc; got "dc:title sideways"',
    ],
    [{ fullText: 'x', orderBy: 'dc:nothing' }, 'dc:nothing'],
    [{ fullText: 'x', pageSize: '-2' }, 'pageSize'],
  ])('answers 400 to %j', async (given, words) => {
    const { body } = await search(given).expect(400);
    expect(body.message).toContain(words);
  });

  test('answers 404 on a missing document and 403 on one without Read permission', async () => {
    await ann.get('/api/v1/path/nowhere/@search?fullText=x').expect(404);
    const closed = await createDocument(server, { type: 'Folder' });
    await setAcl(server, closed.path, only('Administrator', 'Everything'));
    await ann.get(`/api/v1/id/${closed.uid}/@search?fullText=x`).expect(403);
  });
});
