/** @group every-database */
import { describe, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { sweepBlobs } from '../../../src/store/blobs/sweep-blobs.ts';
import { deny, grant, setAcl } from '../../support/acls.ts';
import { type BulkStatus, bulkEnded, foldersOfMany, resumeBulk, runBulkBelow } from '../../support/bulk.ts';
import { atId, createDocument, type DocumentEntity, documentBody } from '../../support/documents.ts';
import { askGraphql, asText } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';

const server = useServer();
const bob = useUser(server, 'bob');

type Request = typeof server.request;
type Row = Record<string, string>;

async function folderOf(count: number): Promise<{ folder: DocumentEntity; files: DocumentEntity[] }> {
  const folder = await createDocument(server, { type: 'Folder' });
  const files: DocumentEntity[] = [];
  for (let made = 0; made < count; made += 1) {
    const properties = { 'dc:title': `Title, ${made}`, 'dc:subjects': ['art', 'sciences'] };
    files.push(await createDocument(server, { parent: folder.path, name: `f${made}`, properties }));
  }
  return { folder, files };
}

const resultPath = ({ commandId }: BulkStatus): string => `/api/v1/bulk/${commandId}/result`;

const textOf = async (status: BulkStatus, request: Request = server.request): Promise<string> =>
  (await asText(request.get(resultPath(status))).expect(200)).body;

const csvRows = (text: string): Row[] => parse(text, { columns: true, record_delimiter: '\r\n' });
const jsonLines = (text: string): DocumentEntity[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

const run = (action: string, folder: DocumentEntity, body: object = {}, request: Request = server.request) =>
  runBulkBelow(request, action, folder, body);

describe('csvExport', () => {
  test('makes a file whose address is in the status', async () => {
    const { folder, files } = await folderOf(2);
    const done = await run('csvExport', folder);
    expect(done).toMatchObject({ state: 'COMPLETED', action: 'csvExport', processed: 2, errorCount: 0 });
    const { url } = done.result as { url: string };
    expect(url).toMatch(/^http:\/\/.*\/api\/v1\/bulk\/[\da-f-]{36}\/result$/);
    expect(new URL(url).pathname).toBe(resultPath(done));
    const answer = await server.request
      .get(resultPath(done))
      .expect(200)
      .expect('Content-Type', 'text/csv; charset=UTF-8')
      .expect('Content-Disposition', `attachment; filename=${done.commandId}.csv`);
    expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(answer.text)));
    const rows = csvRows(answer.text);
    expect(rows).toHaveLength(2);
    const [file] = files as [DocumentEntity];
    expect(rows.find(({ uid }) => uid === file.uid)).toMatchObject({
      repository: 'default',
      path: file.path,
      type: 'File',
      title: 'Title, 0',
      isTrashed: 'false',
      'dc:title': 'Title, 0',
      'dc:subjects': '["art","sciences"]',
      lockOwner: '',
    });
  });

  test('has the columns of the schemas and the xpaths that are named, whatever is found', async () => {
    const { folder } = await folderOf(0);
    const header = async (body: object) => (await textOf(await run('csvExport', folder, body))).trimEnd();
    expect(await header({})).toMatch(/^repository,uid,.*,facets,dc:title,/);
    const named = await header({ schemas: 'file,note', xpaths: ['dc:creator'] });
    expect(named).toMatch(/,facets,file:content,note:note,note:mime_type,dc:creator$/);
    expect(await header({ xpaths: 'dc:title,dc:nature' })).toMatch(/,facets,dc:title,dc:nature$/);
  });

  test('has columns for parts of properties', async () => {
    const { folder, files } = await folderOf(1);
    const [file] = files;
    const xpaths = ['file:content/name', 'file:content/length', 'files:files/0/file/name', 'dc:subjects[1]'];
    const attached = { content: 'x', name: 'attached.txt', 'mime-type': 'text/plain' };
    await server.request
      .put(atId(file?.uid ?? ''))
      .send(
        documentBody({
          properties: {
            'file:content': { content: 'four', name: 'a "name".txt', 'mime-type': 'text/plain' },
            'files:files': [{ file: attached }],
          },
        }),
      )
      .expect(200);
    const rows = csvRows(await textOf(await run('csvExport', folder, { xpaths })));
    expect(rows.find(({ uid }) => uid === file?.uid)).toMatchObject({
      'file:content/name': 'a "name".txt',
      'file:content/length': '4',
      'files:files/0/file/name': 'attached.txt',
      'dc:subjects[1]': 'sciences',
    });
  });

  test('gives a range, an ETag and HEAD as other files', async () => {
    const { folder } = await folderOf(1);
    const done = await run('csvExport', folder);
    const whole = await textOf(done);
    const part = await server.request.get(resultPath(done)).set('Range', 'bytes=0-9').expect(206);
    expect(part.text).toBe(whole.slice(0, 10));
    const { headers } = await server.request.head(resultPath(done)).expect(200);
    await server.request
      .get(resultPath(done))
      .set('If-None-Match', headers.etag as string)
      .expect(304);
  });

  test.each([
    [
      'an unknown schema',
      { schemas: ['nope'] },
      /^schemas: Schema: nope does not exist\. Did you mean note\? GET \/api\/v1\/config\/schemas lists the schemas\.$/,
    ],
    ['all schemas', { schemas: '*' }, /name each schema/],
    ['an unknown property', { xpaths: ['dc:nope'] }, /no property dc:nope/],
    ['an unknown part of a property', { xpaths: ['file:content/nope'] }, /no property file:content\/nope/],
    ['schemas that are no list', { schemas: 3 }, /^schemas must be a list of strings$/],
    ['a schema that is no text', { schemas: [3] }, /^schemas\.0 must be a string$/],
  ])('is 400 for %s', async (_, body, message) => {
    const query = 'SELECT * FROM Document';
    const answer = await server.request
      .post('/api/v1/search/bulk/csvExport')
      .query({ query })
      .send(body)
      .expect(400);
    expect(answer.body.message).toMatch(message);
  });
});

describe('jsonlExport', () => {
  test('has a line for each document, as REST answers it', async () => {
    const { folder, files } = await folderOf(2);
    const lines = jsonLines(await textOf(await run('jsonlExport', folder)));
    expect(lines.map(({ uid }) => uid).sort()).toEqual(files.map(({ uid }) => uid).sort());
    const [file] = files as [DocumentEntity];
    const { body } = await server.request.get(atId(file.uid)).set('properties', '*').expect(200);
    const { properties, uid, path, type, state, title, facets, changeToken, lastModified } = body;
    const expected = { properties, uid, path, type, state, title, facets, changeToken, lastModified };
    expect(lines.find((line) => line.uid === file.uid)).toMatchObject(expected);
  });

  test('has the properties of the schemas that are named', async () => {
    const { folder } = await folderOf(1);
    const [line] = jsonLines(await textOf(await run('jsonlExport', folder, { schemas: ['common'] })));
    expect(Object.keys(line?.properties ?? {})).toEqual(['common:icon', 'common:icon-expanded']);
  });
});

describe('GET /bulk/ID/result', () => {
  test('has what the caller may read, alone', async () => {
    const { folder, files } = await folderOf(2);
    const [seen, hidden] = files as [DocumentEntity, DocumentEntity];
    await setAcl(server, folder.path, [grant('bob', 'Read')]);
    await setAcl(server, hidden.path, [deny('Everyone', 'Everything')]);
    const done = await run('jsonlExport', folder, {}, bob);
    expect(jsonLines(await textOf(done, bob)).map(({ uid }) => uid)).toEqual([seen.uid]);
  });

  test('leaves out a document whose rights were taken away, or that is gone, since it was found', async () => {
    const { folder, files } = await folderOf(3);
    const [first, hidden, gone] = files as [DocumentEntity, DocumentEntity, DocumentEntity];
    await setAcl(server, folder.path, [grant('bob', 'Read')]);
    await setAcl(server, hidden.path, [deny('Everyone', 'Everything')]);
    await server.request.delete(atId(gone.uid)).expect(204);
    const { prisma } = server.database;
    const id = '44444444-4444-4444-8444-444444444444';
    const items = { create: files.map(({ uid }) => ({ depth: 4, documentId: uid })) };
    const data = { id, repository: 'default', username: 'bob', action: 'jsonlExport', query: {}, items };
    await prisma.bulkCommand.create({
      data: { ...data, parameters: { schemas: ['*'] }, state: 'RUNNING', total: 3 },
    });
    await resumeBulk(server, id);
    const done = await bulkEnded(bob, id);
    expect(done).toMatchObject({ state: 'COMPLETED', processed: 3, skipCount: 2, errorCount: 0 });
    expect(jsonLines(await textOf(done, bob)).map(({ uid }) => uid)).toEqual([first.uid]);
  });

  test("is 404 for others' results, except for administrators, and for results that are not there", async () => {
    const { folder } = await folderOf(1);
    const done = await run('jsonlExport', folder);
    await bob.get(resultPath(done)).expect(404);
    const theirs = await run('jsonlExport', folder, {}, bob);
    await server.request.get(resultPath(theirs)).expect(200);
    const trashed = await run('trash', folder);
    expect(trashed).not.toHaveProperty('result');
    await server.request.get(resultPath(trashed)).expect(404);
    await server.request.get('/api/v1/bulk/x/result').expect(404);
    await server.anonymous.get(resultPath(done)).expect(401);
  });

  test('is in GraphQL too, and costs as many statements for any size', async () => {
    const many = await run('jsonlExport', (await folderOf(4)).folder);
    const one = await run('jsonlExport', (await folderOf(1)).folder);
    const query =
      'query ($id: ID!) { bulkCommand(id: $id) { result { url } } bulkResult(id: $id) { mimeType length } }';
    const asked = await askGraphql(server.request, query, { id: one.commandId });
    expect(asked).toEqual({
      bulkCommand: {
        result: { url: expect.stringContaining(resultPath(one)) },
      },
      bulkResult: { mimeType: 'application/x-ndjson', length: Buffer.byteLength(await textOf(one)) },
    });
    const cost = async (status: BulkStatus) =>
      statements(await server.request.head(resultPath(status)).expect(200));
    expect(await cost(many)).toBe(await cost(one));
  });

  test('is kept by the sweep while its command is there, and goes with it', async () => {
    const { folder } = await folderOf(1);
    const done = await run('jsonlExport', folder);
    const { database, blobs } = server;
    await sweepBlobs(database, blobs, 0);
    await server.request.get(resultPath(done)).expect(200);
    const { prisma } = database;
    const { digest } = await prisma.bulkFile.findFirstOrThrow({ where: { commandId: done.commandId } });
    await prisma.bulkCommand.delete({ where: { id: done.commandId } });
    await sweepBlobs(database, blobs, 0);
    expect(await blobs.renew(digest)).toBeUndefined();
  });
});

test('Actions of more than one slice reach all documents; exports have parents before their children', async () => {
  const { folder, total } = await foldersOfMany(server);
  const exported = await run('jsonlExport', folder);
  expect(exported).toMatchObject({ state: 'COMPLETED', processed: total, total });
  const lines = jsonLines(await textOf(exported));
  expect(new Set(lines.map(({ uid }) => uid)).size).toBe(total);
  const depths = lines.map(({ path }) => path.split('/').length);
  expect(depths).toEqual(depths.toSorted((a, b) => a - b));
  // One file is left of the parts.
  const { prisma } = server.database;
  expect(await prisma.bulkFile.count({ where: { commandId: exported.commandId } })).toBe(1);

  const changed = await run('setProperties', folder, { 'dc:description': 'many' });
  expect(changed).toMatchObject({ state: 'COMPLETED', processed: total, total, errorCount: 0 });
  const query = `SELECT * FROM Document WHERE ecm:ancestorId = '${folder.uid}' AND dc:description = 'many'`;
  const { body } = await server.request.get('/api/v1/search/execute').query({ query }).expect(200);
  expect(body.resultsCount).toBe(total);
});
