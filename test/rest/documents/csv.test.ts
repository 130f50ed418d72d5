import { describe, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { deny, grant, setAcl } from '../../support/acls.ts';
import { authorization } from '../../support/administrator.ts';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import { callAt } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';

const server = useServer();
const bob = useUser(server, 'bob');

async function folderWith(...titles: string[]): Promise<DocumentEntity> {
  const folder = await createDocument(server, { type: 'Folder' });
  for (const [index, title] of titles.entries())
    await createDocument(server, {
      parent: folder.path,
      name: `n${index}`,
      properties: { 'dc:title': title, 'dc:subjects': ['art'] },
    });
  return folder;
}

const rowsOf = (text: string): Record<string, string>[] => parse(text, { columns: true });

describe('Lists of documents with Accept: text/csv', () => {
  test('have a line for each document, with the properties that are asked for', async () => {
    const folder = await folderWith('one', 'a "quoted", title', '=SUM(A1)');
    const response = await server.request
      .get(`/api/v1/id/${folder.uid}/@children`)
      .set('Accept', 'text/csv')
      .set('properties', 'dublincore')
      .expect(200);
    expect(response.headers['content-type']).toBe('text/csv; charset=utf-8');
    const rows = rowsOf(response.text);
    expect(rows.map((row) => row['dc:title']).sort()).toEqual(["'=SUM(A1)", 'a "quoted", title', 'one']);
    expect(rows[0]).toMatchObject({ type: 'File', parentRef: folder.uid, isTrashed: 'false' });
    expect(JSON.parse(rows[0]?.['dc:subjects'] ?? '')).toEqual(['art']);
  });

  test('are served by searches and page providers, a page at a time, and by rights', async () => {
    const folder = await folderWith('one', 'two');
    await setAcl(server, folder.path, [grant('bob', 'Read')]);
    await setAcl(server, `${folder.path}/n1`, [deny('Everyone', 'Everything')]);
    const query = `SELECT * FROM Document WHERE ecm:parentId = '${folder.uid}'`;
    const at = {
      '/api/v1/search/execute': { query },
      '/api/v1/query': { query },
      '/api/v1/search/pp/CURRENT_DOC_CHILDREN/execute': { queryParams: folder.uid },
      [`/api/v1/id/${folder.uid}/@search`]: { query },
      [`/api/v1/id/${folder.uid}/@pp/CURRENT_DOC_CHILDREN`]: {},
    };
    for (const [address, asked] of Object.entries(at)) {
      const get = (request: typeof bob, pageSize: number) =>
        request
          .get(address)
          .query({ ...asked, pageSize })
          .set('Accept', 'text/csv')
          .expect(200);
      expect(rowsOf((await get(bob, 10)).text)).toMatchObject([{ title: 'one' }]);
      expect(rowsOf((await get(server.request, 1)).text)).toHaveLength(1);
    }
  });

  test('are sent in parts, of which a client need not take all', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    const blobs = Array.from({ length: 120 }, (_, index) => ({ content: 'x', name: `${index}.pdf` }));
    const context = { currentDocument: folder.path };
    await callAt(server.request, '/api/v1/automation/FileManager.Import', { context, blobs }).expect(200);
    const address = `/api/v1/id/${folder.uid}/@children?pageSize=1000`;
    const all = server.request.get(address).set('Accept', 'text/csv').set('properties', '*');
    const { text, headers } = await all.expect(200);
    expect(headers['transfer-encoding']).toBe('chunked');
    const rows = rowsOf(text);
    expect(new Set(rows.map(({ uid }) => uid)).size).toBe(120);
    expect(rows.every(({ type }) => type === 'File')).toBe(true);

    const response = await fetch(`http://127.0.0.1:${await server.listen()}${address}`, {
      headers: { Accept: 'text/csv', Authorization: authorization, properties: '*' },
    });
    const reader = response.body?.getReader();
    expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
    await reader?.cancel();
    await server.request.get(address).set('Accept', 'text/csv').expect(200);
    expect(server.logged.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  test('have the line of names alone when they are empty', async () => {
    const folder = await folderWith();
    const { text } = await server.request
      .get(`/api/v1/id/${folder.uid}/@children`)
      .set('Accept', 'text/csv')
      .expect(200);
    expect(text).toMatch(/^repository,uid,name,path,type,[^\n]*\r\n$/);
  });

  test('are of other entities where a page provider finds those', async () => {
    const { text } = await server.request
      .get('/api/v1/search/pp/nuxeo_principals_listing/execute')
      .set('Accept', 'text/csv');
    expect(text === '' || text.includes('id')).toBe(true);
  });

  test('are errors in JSON when they fail', async () => {
    const { body } = await server.request
      .get('/api/v1/search/execute')
      .query({ query: 'SELECT' })
      .set('Accept', 'text/csv')
      .expect(400);
    expect(body).toMatchObject({ 'entity-type': 'exception', status: 400 });
  });
});
