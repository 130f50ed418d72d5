import { describe, expect, test } from '@jest/globals';
import { createDocument } from '../../support/documents.ts';
import { call, type Upload } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';

const server = useServer();

const newFolder = () => createDocument(server, { type: 'Folder' });
const send = (folder: string, blobs: readonly Upload[], params: Record<string, unknown> = {}) =>
  call(server.request, 'FileManager.Import', { context: { currentDocument: folder }, params, blobs });
const childrenOf = async (path: string): Promise<Array<{ name: string; uid: string }>> =>
  (await server.request.get(`/api/v1/path${path}/@children`).expect(200)).body.entries;

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('FileManager.Import', () => {
  test.each<[Upload, string, string]>([
    [{ content: png, name: 'a.jpg', type: 'text/plain' }, 'Picture', 'image/png'],
    [{ content: '\u0001\u0002\u0003', name: 'a.mp4' }, 'Video', 'video/mp4'],
    [{ content: Buffer.from('fffb90000000000000000000', 'hex'), name: 'sound' }, 'Audio', 'audio/mpeg'],
    [{ content: 'x', name: 'a.mp3' }, 'Note', 'text/plain'],
    [{ content: 'x', name: 'a.pdf' }, 'File', 'application/pdf'],
    [{ content: 'x', name: 'a.csv' }, 'File', 'text/csv'],
    [{ content: 'x', name: 'a.txt' }, 'Note', 'text/plain'],
    [{ content: '<p>', name: 'a.html' }, 'Note', 'text/html'],
    [{ content: '# é', name: 'a.md' }, 'Note', 'text/markdown'],
    [{ content: Buffer.from([0xff, 0xfe, 0]), name: 'b.txt' }, 'File', 'text/plain'],
    [{ content: 'x'.repeat(1_048_577), name: 'long.txt' }, 'File', 'text/plain'],
    [{ content: png, name: 'nothing', type: 'application/octet-stream' }, 'Picture', 'image/png'],
    [{ content: 'x', name: 'nothing', type: 'application/x-own' }, 'File', 'application/x-own'],
  ])('turns %j into a %s', async ({ ...blob }, type, mimeType) => {
    const { path } = await newFolder();
    const { body } = await send(path, [blob]).expect(200);
    expect(body).toMatchObject({ type, title: blob.name, path: `${path}/${blob.name}` });
    const found = type === 'Note' ? 'note:mime_type' : 'file:content';
    const expected = type === 'Note' ? mimeType : { 'mime-type': mimeType, name: blob.name };
    expect(body.properties[found]).toEqual(
      type === 'Note' ? expected : expect.objectContaining(expected as object),
    );
    if (type === 'Note') expect(body.properties['note:note']).toBe(blob.content);
  });

  test('takes the media type of the client before that of the name', async () => {
    const { path } = await newFolder();
    const blob = { content: '\u0001\u0002\u0003', name: 'a.jpg', type: 'audio/ogg' };
    expect((await send(path, [blob]).expect(200)).body.type).toBe('Audio');
    expect((await send(path, [blob], { noMimeTypeCheck: true }).expect(200)).body.type).toBe('Audio');
  });

  test('creates a document for each file, in order, all or none', async () => {
    const { path } = await newFolder();
    const blobs = ['b.pdf', 'a.txt', 'b.pdf'].map((name) => ({ content: name, name }));
    const { body } = await send(path, blobs).expect(200);
    expect(body['entity-type']).toBe('documents');
    expect(body.entries.map(({ title }: { title: string }) => title)).toEqual(['b.pdf', 'a.txt', 'b.pdf']);
    expect(body.entries[2].name).toMatch(/^b\.pdf\.\d+$/);
    await send(path, [...blobs, { content: 'x', name: '..' }]).expect(400);
    expect(await childrenOf(path)).toHaveLength(3);
  });

  test('with overwrite updates the document of the same name and type, or else creates one', async () => {
    const { path } = await newFolder();
    const [note, file] = ['a.txt', 'a.pdf'].map((name) => ({ content: 'old', name }));
    const { body: made } = await send(path, [note as Upload, file as Upload]).expect(200);
    const again = ['a.txt', 'a.pdf', 'new.pdf', 'new.pdf'].map((name) => ({ content: 'new', name }));
    const { body } = await send(path, again, { overwrite: true }).expect(200);
    const uids = body.entries.map(({ uid }: { uid: string }) => uid);
    expect(uids.slice(0, 2)).toEqual(made.entries.map(({ uid }: { uid: string }) => uid));
    expect(uids[2]).toBe(uids[3]);
    expect(body.entries[0].properties['note:note']).toBe('new');
    expect(body.entries[1].properties['file:content'].length).toBe('3');
    await send(path, [{ content: png, name: 'a.pdf', type: 'image/png' }], {
      overwrite: true,
      noMimeTypeCheck: true,
    });
    expect(await childrenOf(path)).toHaveLength(4);
  });

  test('with overwrite counts two normal forms of a name as one, whichever the document has', async () => {
    const [composed, decomposed] = ['\u00e9.pdf', 'e\u0301.pdf'];
    for (const [first, second] of [
      [composed, decomposed],
      [decomposed, composed],
    ] as const) {
      const { path } = await newFolder();
      const { body: made } = await send(path, [{ content: 'old', name: first }]).expect(200);
      expect(made.name).toBe(composed);
      const { body } = await send(path, [{ content: 'new', name: second }], { overwrite: true }).expect(200);
      expect(body.uid).toBe(made.uid);
    }
    const { path } = await newFolder();
    const old = await createDocument(server, { parent: path, name: decomposed });
    const { body } = await send(path, [{ content: 'new', name: composed }], { overwrite: true }).expect(200);
    expect(body.uid).toBe(old.uid);
    expect(await childrenOf(path)).toHaveLength(1);
  });

  test('has a cost that grows linearly with the number of files', async () => {
    const [one, many] = [await newFolder(), await newFolder()];
    const blobs = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ content: 'x', name: `${index}.pdf` }));
    await send(one.path, blobs(1)).expect(200);
    const [two, five] = [
      statements(await send(one.path, blobs(2))),
      statements(await send(many.path, blobs(5))),
    ];
    const three = statements(await send(many.path, blobs(3)));
    expect(five - three).toBeLessThanOrEqual(2 * (three - two));
  });
});

describe('FileManager.CreateFolder', () => {
  const create = (input: string, params: Record<string, unknown>) =>
    call(server.request, 'FileManager.CreateFolder', { input, params });

  test('creates a second folder of the same title; with overwrite it updates the first', async () => {
    const { path } = await newFolder();
    const { body: first } = await create(path, { title: 'a/b', properties: 'dc:description=x' }).expect(200);
    expect(first).toMatchObject({ name: 'a-b', title: 'a/b', type: 'Folder' });
    expect(first.properties['dc:description']).toBe('x');
    const { body: second } = await create(path, { title: 'a/b' }).expect(200);
    expect(second.uid).not.toBe(first.uid);
    const { body: third } = await create(path, {
      title: 'a/b',
      overwrite: true,
      properties: 'dc:source=y',
    }).expect(200);
    expect(third).toMatchObject({ uid: first.uid, properties: { 'dc:source': 'y', 'dc:description': 'x' } });
    expect(await childrenOf(path)).toHaveLength(2);
  });

  test('with overwrite ignores trashed documents and documents of other types', async () => {
    const { path } = await newFolder();
    const { body: trashed } = await create(path, { title: 'gone' }).expect(200);
    await call(server.request, 'Document.Trash', { input: trashed.uid }).expect(200);
    await createDocument(server, { parent: path, name: 'file' });
    for (const title of ['gone', 'file']) {
      const { body } = await create(path, { title, overwrite: true }).expect(200);
      expect(body).toMatchObject({ type: 'Folder', isTrashed: false });
      expect(body.uid).not.toBe(trashed.uid);
    }
  });

  test('creates one folder for two concurrent calls with overwrite', async () => {
    const { path } = await newFolder();
    const both = await Promise.all([1, 2].map(() => create(path, { title: 'one', overwrite: true })));
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(await childrenOf(path)).toHaveLength(1);
  });
});

describe('Operations on the files of a document', () => {
  const properties = {
    'file:content': { content: 'main', name: 'main.txt' },
    'files:files': ['one', 'two'].map((content) => ({ file: { content, name: `${content}.txt` } })),
  };
  const show = async (uid: string) => {
    const { body } = await server.request.get(`/api/v1/id/${uid}`).expect(200);
    const files: Array<{ file: { name: string } | null }> = body.properties['files:files'];
    return [body.properties['file:content']?.name ?? null, ...files.map(({ file }) => file?.name ?? null)];
  };

  test.each([
    ['file:content', [null, 'one.txt', 'two.txt']],
    ['files:files/0/file', ['main.txt', null, 'two.txt']],
    ['files:files/0', ['main.txt', 'two.txt']],
    ['files:files[1]', ['main.txt', 'one.txt']],
    ['files:files', ['main.txt']],
  ])('Blob.Remove removes %s', async (xpath, left) => {
    const { uid } = await createDocument(server, { properties });
    await call(server.request, 'Blob.Remove', { input: uid, params: { xpath } }).expect(200);
    expect(await show(uid)).toEqual(left);
  });

  test('Document.SetBlobName renames a file and keeps its bytes', async () => {
    const { uid } = await createDocument(server, { properties });
    const params = { xpath: 'files:files/1/file', name: 'other.txt' };
    await call(server.request, 'Document.SetBlobName', { input: [uid], params }).expect(200);
    expect(await show(uid)).toEqual(['main.txt', 'one.txt', 'other.txt']);
    const { text } = await server.request.get(`/api/v1/id/${uid}/@blob/files:files/1/file`).expect(200);
    expect(text).toBe('two');
  });

  test('Blob.Attach replaces a file within a list', async () => {
    const { uid } = await createDocument(server, { properties });
    const params = { document: uid, xpath: 'files:files/0/file' };
    const blobs = [{ content: 'x', name: 'x.txt' }];
    await call(server.request, 'Blob.Attach', { params, blobs }).expect(200);
    expect(await show(uid)).toEqual(['main.txt', 'x.txt', 'two.txt']);
  });
});
