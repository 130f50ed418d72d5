import { expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { strFromU8, unzipSync } from 'fflate';
import { type BulkStatus, bulkEnded, foldersOfMany, runBulkBelow } from '../../support/bulk.ts';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import { asBytes, asText, call } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';

const server = useServer();

const resultPath = ({ commandId }: Pick<BulkStatus, 'commandId'>) => `/api/v1/bulk/${commandId}/result`;

const exported = (folder: DocumentEntity, body: object = {}): Promise<BulkStatus> =>
  runBulkBelow(server.request, 'csvExport', folder, body);

const textOf = async (status: BulkStatus): Promise<string> =>
  (await asText(server.request.get(resultPath(status))).expect(200)).body;

const rowsOf = (text: string): Array<Record<string, string>> =>
  parse(text, { columns: true, record_delimiter: '\r\n' });

const uidsIn = (text: string): unknown[] => rowsOf(text).map(({ uid }) => uid);

/** A folder with a folder that has files. */
async function tree(): Promise<DocumentEntity> {
  const folder = await createDocument(server, { type: 'Folder' });
  const inner = await createDocument(server, { type: 'Folder', parent: folder.path });
  for (let made = 0; made < 8; made += 1) await createDocument(server, { parent: inner.path });
  return folder;
}

test('csvExport with sort has its lines in order, over all slices', async () => {
  const { folder, total } = await foldersOfMany(server);
  const lines = (await textOf(await exported(folder, { sort: true }))).trimEnd().split('\r\n').slice(1);
  expect(lines).toHaveLength(total);
  expect(lines).toEqual(lines.toSorted());
});

test('csvExport without it has parents first', async () => {
  const folder = await tree();
  const rows = rowsOf(await textOf(await exported(folder, { sort: 'false' })));
  expect(rows[0]).toMatchObject({ parentRef: folder.uid });
});

test('csvExport with zip is an archive with the file', async () => {
  const folder = await tree();
  const plain = await textOf(await exported(folder));
  const done = await exported(folder, { zip: true, sort: 'true', lang: 'fr' });
  const { commandId } = done;
  const { body } = await asBytes(server.request.get(resultPath(done)))
    .expect(200)
    .expect('Content-Type', 'application/zip')
    .expect('Content-Disposition', `attachment; filename=${commandId}.zip`);
  const files = unzipSync(body as Buffer);
  expect(Object.keys(files)).toEqual([`${commandId}.csv`]);
  const text = strFromU8(files[`${commandId}.csv`] as Uint8Array);
  expect(uidsIn(text)).toEqual(uidsIn(plain).toSorted());
});

test('§4.7 Bulk.RunAction takes them as the browser application sends them', async () => {
  const folder = await tree();
  const parameters = JSON.stringify({ schemas: ['dublincore'], zip: true, sort: true, lang: 'en' });
  const query = `SELECT * FROM Document WHERE ecm:ancestorId = '${folder.uid}'`;
  const { body } = await call(server.request, 'Bulk.RunAction', {
    params: { action: 'csvExport', query, parameters },
  }).expect(200);
  const done = await bulkEnded(server.request, body.commandId);
  expect(done).toMatchObject({ state: 'COMPLETED', result: { url: expect.stringMatching(/result$/) } });
  await server.request.get(resultPath(done)).expect(200).expect('Content-Type', 'application/zip');
});

test.each([
  ['a sort that is no flag', { sort: 'dc:title' }, /^sort /],
  ['a zip that is no flag', { zip: 1 }, /^zip /],
  ['a language that is no text', { lang: 1 }, /^lang must be a string$/],
  ['an unknown field', { separator: ';' }, /^there is no parameter separator$/],
])('%s is 400', async (_, body, message) => {
  const sent = server.request.post('/api/v1/search/bulk/csvExport').query({ query: 'SELECT * FROM File' });
  expect((await sent.send(body).expect(400)).body.message).toMatch(message);
});
