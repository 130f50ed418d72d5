import { describe, expect, test } from '@jest/globals';
import { createDocument } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { createFile } from '../blobs/blob-requests.ts';
import { audit, type LogEntryEntity } from './audit-requests.ts';

const server = useServer();

const file = () => createFile(server, { name: 'a.txt', content: 'some bytes' });
const note = () => createDocument(server, { type: 'Note', properties: { 'note:note': 'hello' } });
const at = (uid: string) => server.request.get(`/api/v1/id/${uid}/@blob`);

async function written(uid: string): Promise<LogEntryEntity[]> {
  await server.journal.flush();
  return (await audit(server, { uid }, { eventId: 'download' }).expect(200)).body.entries;
}

/** Returns the download entries of a document once a later download, of another file, has its own. */
async function downloads(uid: string): Promise<LogEntryEntity[]> {
  const later = await file();
  await at(later.uid).expect(200);
  // A client has the last byte before the server knows that it was sent.
  await until(async () => (await written(later.uid)).length > 0);
  return written(uid);
}

describe('§2.6 the log entry download', () => {
  test('names the file and its document', async () => {
    const { uid, path } = await file();
    await at(uid).expect(200);
    expect(await downloads(uid)).toEqual([
      expect.objectContaining({
        eventId: 'download',
        category: 'eventDocumentCategory',
        principalName: 'Administrator',
        comment: 'a.txt',
        docUUID: uid,
        docPath: path,
        docType: 'File',
        docLifeCycle: 'project',
        extended: { blobFilename: 'a.txt', blobDigest: expect.stringMatching(/^[\da-f]{64}$/) },
      }),
    ]);
  });

  test.each([
    ['HEAD', (uid: string) => server.request.head(`/api/v1/id/${uid}/@blob`), 200],
    ['304', (uid: string) => at(uid).set('If-None-Match', '*'), 304],
    ['no such file', (uid: string) => server.request.get(`/api/v1/id/${uid}/@blob/files:files/0/file`), 404],
    ['a read of the document', (uid: string) => server.request.get(`/api/v1/id/${uid}`), 200],
    [
      'a call that answers nothing',
      (uid: string) =>
        server.request
          .post('/api/v1/automation/Document.GetBlob')
          .set('X-SvcVoidOperation', 'true')
          .send({ input: uid }),
      204,
    ],
  ])('is not written for %s', async (_, call, status) => {
    const { uid } = await file();
    await call(uid).expect(status);
    expect(await downloads(uid)).toEqual([]);
  });

  test.each([
    ['is not written for a preview', 'application/pdf', '?inline=true', 0],
    ['is not written for a preview in a sandbox', 'text/html', '?inline=true', 0],
    ['is written for what browsers only save', 'application/zip', '?inline=true', 1],
    ['is written for the same without inline', 'application/pdf', '?inline=false', 1],
  ])('%s: %s%s', async (_, mimeType, query, count) => {
    const { uid } = await createFile(server, { name: 'a', content: 'x', 'mime-type': mimeType });
    await server.request.get(`/api/v1/id/${uid}/@blob${query}`).expect(200);
    expect(await downloads(uid)).toHaveLength(count);
  });

  test('is written once for a file that is fetched in ranges', async () => {
    const { uid } = await file();
    for (const range of ['bytes=1-', 'bytes=0-3', 'bytes=4-', 'bytes=-2'])
      await at(uid).set('Range', range).expect(206);
    expect(await downloads(uid)).toHaveLength(1);
  });

  test('is written once per file by an operation, also for a list', async () => {
    const documents = [await file(), await file(), await note()];
    const input = documents.map(({ uid }) => uid);
    await server.request.post('/api/v1/automation/Document.GetBlob').send({ input }).expect(200);
    await server.request.post('/api/v1/automation/Document.GetBlob').send({ input: input[0] }).expect(200);
    for (const uid of input) expect(await downloads(uid)).toHaveLength(1);
  });

  test('is written for the text of a note', async () => {
    const { uid } = await note();
    await at(uid).expect(200);
    expect(await downloads(uid)).toHaveLength(1);
  });
});
