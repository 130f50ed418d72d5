import { beforeAll, describe, expect, test } from '@jest/globals';
import Nuxeo, { type BatchUpload } from 'nuxeo';
import { use } from '../support/use.ts';
import { startConnected, statusOf } from './connected.ts';

const connected = use(startConnected);
let client: Nuxeo;
beforeAll(() => {
  client = connected.client;
});

const workspaces = '/default-domain/workspaces';

const blob = (name: string, content = `bytes of ${name}`, mimeType = 'text/plain') => {
  const bytes = Buffer.from(content);
  return new Nuxeo.Blob({ content: bytes, name, mimeType, size: bytes.length });
};

let count = 0;
const newFile = (properties: Record<string, unknown>) => {
  count += 1;
  return { 'entity-type': 'document', name: `batch-${count}`, type: 'File', properties };
};

/** Returns the id of a batch in the client. */
const idOf = (batch: BatchUpload): string => batch._batchId;

describe('§4.7 a batch of the JavaScript client', () => {
  test('uploads a file, describes it and sets it on a document', async () => {
    const batch = client.batchUpload();
    const { blob: sent } = await batch.upload(blob('é "1".txt'));
    expect(sent).toMatchObject({ 'upload-fileId': '0', uploaded: 'true', uploadType: 'normal' });
    expect(batch.isFinished()).toBe(true);
    expect((await batch.fetchBlob(0)).blob).toMatchObject({
      name: 'é "1".txt',
      size: 19,
      uploadType: 'normal',
    });
    const document = await client.repository().create(workspaces, newFile({ 'file:content': sent }));
    expect(document.properties['file:content']).toMatchObject({
      name: 'é "1".txt',
      'mime-type': 'text/plain',
    });
    expect(await (await document.fetchBlob()).text()).toBe('bytes of é "1".txt');
    expect(await statusOf(batch.fetchBlob(0))).toBe(404);
  });

  test('uploads several files concurrently, and sets them on a list', async () => {
    const batch = client.batchUpload({ concurrency: 3 });
    const { blobs } = await batch.upload(blob('a'), blob('b'), blob('c'), blob('d'));
    expect((await batch.done()).blobs).toHaveLength(4);
    await batch.removeBlob(3);
    const fetched = await batch.fetchBlobs();
    expect(fetched.blobs.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    const files = blobs.slice(0, 3).map((file) => ({ file }));
    const document = await client.repository().create(workspaces, newFile({ 'files:files': files }));
    const saved = document.properties['files:files'] as { file: { name: string } }[];
    expect(saved.map(({ file }) => file.name)).toEqual(['a', 'b', 'c']);
  });

  test('sets a fetched blob like an uploaded one, also with an unknown media type', async () => {
    const batch = client.batchUpload();
    await batch.upload(new Nuxeo.Blob({ content: Buffer.from('x'), name: 'x.pdf' }));
    const { blob: fetched } = await batch.fetchBlob(0);
    const document = await client.repository().create(workspaces, newFile({}));
    const saved = await document.set({ 'file:content': fetched }).save();
    expect(saved.properties['file:content']).toMatchObject({ name: 'x.pdf', 'mime-type': 'application/pdf' });
  });

  test('can be canceled', async () => {
    const batch = client.batchUpload();
    await batch.upload(blob('a'));
    const id = idOf(batch);
    await batch.cancel();
    expect(await statusOf(client.request(`/upload/${id}`).get())).toBe(404);
  });
});

describe('§4.7 batch operations of the JavaScript client', () => {
  test('run on one file', async () => {
    const { blob: sent } = await client.batchUpload().upload(blob('one.txt'));
    const document = await client.repository().create(workspaces, newFile({}));
    const attach = client.operation('Blob.AttachOnDocument').params({ document: document.uid });
    const answer = (await attach.input(sent).execute()) as unknown as Response;
    expect(await answer.text()).toBe('bytes of one.txt');
    expect(await (await (await client.repository().fetch(document.uid)).fetchBlob()).text()).toBe(
      'bytes of one.txt',
    );
    expect(await statusOf(attach.input(sent).execute())).toBe(404);
  });

  test('run on a whole batch', async () => {
    const batch = client.batchUpload();
    await batch.upload(blob('b.txt'), blob('b.png', '\0\u0001\u0002', 'image/png'));
    const operation = client.operation('FileManager.Import').context({ currentDocument: workspaces });
    const { entries } = await operation.input(batch).execute();
    expect(entries.map(({ type, title }) => [type, title])).toEqual([
      ['Note', 'b.txt'],
      ['Picture', 'b.png'],
    ]);
  });
});
