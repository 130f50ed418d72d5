import { describe, expect, test } from '@jest/globals';
import { strFromU8, unzipSync } from 'fflate';
import { deny, grant, setAcl } from '../../support/acls.ts';
import { createDocument } from '../../support/documents.ts';
import { asBytes, call } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { useUser } from '../../support/users.ts';

// §4.7
const server = useServer();
const bob = useUser(server, 'bob');

const folderIn = (parent?: string) => createDocument(server, { type: 'Folder', parent });

const fileIn = (parent: string, name: string, content = name) =>
  createDocument(server, { parent, properties: { 'file:content': { content, name } } });

async function unzipped(sent: ReturnType<typeof call>): Promise<Record<string, string>> {
  const { body } = await asBytes(sent).expect(200).expect('Content-Type', 'application/zip');
  return Object.fromEntries(
    Object.entries(unzipSync(body as Buffer)).map(([name, bytes]) => [name, strFromU8(bytes)]),
  );
}

describe('Blob.BulkDownload', () => {
  const download = (input: unknown, params: Record<string, unknown> = {}, request = server.request) =>
    call(request, 'Blob.BulkDownload', { input, params });

  test('answers an archive of the main files, in as many statements for many as for few', async () => {
    const folder = await folderIn();
    const files = await Promise.all(['a.txt', 'b.txt', 'c.txt'].map((name) => fileIn(folder.path, name)));
    const ids = [...files.map(({ uid }) => uid), folder.uid];
    expect(await unzipped(download(ids))).toEqual({ 'a.txt': 'a.txt', 'b.txt': 'b.txt', 'c.txt': 'c.txt' });
    const all = await download(ids, { filename: 'all.zip' }).expect(200);
    expect(all.headers['content-disposition']).toContain('all.zip');
    expect(statements(all)).toBe(statements(await download([ids[0]]).expect(200)));
  });

  test('answers the archive of an asynchronous call, as Document.Export does', async () => {
    const folder = await folderIn();
    const { uid } = await fileIn(folder.path, 'a.txt');
    for (const [id, input, params, name] of [
      ['Blob.BulkDownload', `docs:${uid}`, {}, 'a.txt'],
      ['Document.Export', uid, { exportAsZip: true }, 'document.xml'],
    ] as const) {
      const { headers } = await call(server.request, `${id}/@async`, { input, params }).expect(202);
      const status = new URL(headers.location ?? '').pathname;
      await until(async () => (await server.request.get(status).redirects(0)).status === 303);
      expect(Object.keys(await unzipped(server.request.get(status.replace(/\/status$/, ''))))).toContain(
        name,
      );
    }
  });

  test('needs Read of every document', async () => {
    const folder = await folderIn();
    const [open, closed] = [await fileIn(folder.path, 'a.txt'), await fileIn(folder.path, 'b.txt')];
    await setAcl(server, closed.path, [deny('Everyone', 'Everything')]);
    await download([open.uid, closed.uid], {}, bob).expect(403);
  });

  test('refuses documents without files, and unknown ones', async () => {
    const folder = await folderIn();
    const { body } = await download([folder.uid]).expect(400);
    expect(body.message).toBe('None of the documents has a main file.');
    await download(['/nosuch']).expect(404);
  });
});

describe('Document.GetContainerRendition', () => {
  const get = (input: unknown, params: Record<string, unknown> = {}, request = server.request) =>
    call(request, 'Document.GetContainerRendition', { input, params });

  test('answers an archive of the main files in a folder, and in those in it', async () => {
    const folder = await folderIn();
    const inner = await folderIn(folder.path);
    await fileIn(folder.path, 'a.txt');
    await fileIn(inner.path, 'b.txt');
    const plain = await unzipped(get(folder.uid));
    expect(plain).toEqual({ 'a.txt': 'a.txt' });
    const name = inner.path.split('/').at(-1);
    expect(await unzipped(get(folder.uid, { maxDepth: 2 }))).toEqual({
      ...plain,
      [`${name}/b.txt`]: 'b.txt',
    });
    const rendition = server.request.get(`/api/v1/id/${folder.uid}/@rendition/containerDefaultRendition`);
    expect(await unzipped(rendition)).toEqual(plain);
  });

  test('looks at no more levels than asked for: what is deeper does not count for the limit', async () => {
    const folder = await createDocument(server, { type: 'Folder', name: '50%_of a' });
    const a = await createDocument(server, { type: 'Folder', name: 'a', parent: folder.path });
    const deep = await createDocument(server, { type: 'Folder', name: 'b', parent: a.path });
    for (const name of ['1.txt', '2.txt', '3.txt']) await fileIn(deep.path, name);
    await fileIn(folder.path, 'z.txt');
    expect(await unzipped(get(folder.uid, { maxDepth: 2, limit: 3 }))).toEqual({ 'z.txt': 'z.txt' });
    const files = async (extent: Record<string, number>) =>
      Object.keys(await unzipped(get(folder.uid, extent)));
    expect(await files({ maxDepth: 3, limit: 3 })).toEqual([expect.stringMatching(/^a\/b\/.\.txt$/)]);
    expect(await files({ maxDepth: 2 ** 30 })).toHaveLength(4);
    const inRoot = await fileIn('/', 'root.txt');
    expect(await unzipped(get('/', { maxDepth: 2 }))).toMatchObject({ 'root.txt': 'root.txt' });
    await server.request.delete(`/api/v1/id/${inRoot.uid}`).expect(204);
  });

  test('gives no two files and folders one name, and files their own otherwise', async () => {
    const folder = await folderIn();
    const inner = await createDocument(server, { type: 'Folder', name: 'a.txt', parent: folder.path });
    await fileIn(inner.path, 'document.xml');
    const file = { content: 'of b', name: 'a.txt' };
    await createDocument(server, { name: 'b', parent: folder.path, properties: { 'file:content': file } });
    expect(await unzipped(get(folder.uid, { maxDepth: 2 }))).toEqual({
      'a.txt/document.xml': 'document.xml',
      '1-a.txt': 'of b',
    });
  });

  test('needs Read, and leaves out what the caller may not read', async () => {
    const folder = await folderIn();
    await fileIn(folder.path, 'a.txt');
    const closed = await fileIn(folder.path, 'b.txt');
    await setAcl(server, folder.path, [grant('bob', 'Read')]);
    await setAcl(server, closed.path, [deny('Everyone', 'Everything')]);
    expect(await unzipped(get(folder.uid, {}, bob))).toEqual({ 'a.txt': 'a.txt' });
    await setAcl(server, folder.path, [deny('Everyone', 'Everything')]);
    await get(folder.uid, {}, bob).expect(403);
  });

  test('refuses what is no folder, and extents out of range', async () => {
    const folder = await folderIn();
    const file = await fileIn(folder.path, 'a.txt');
    await get(file.uid).expect(400);
    await get('/nosuch').expect(404);
    for (const params of [{ limit: 0 }, { limit: 1001 }, { limit: 'x' }, { maxDepth: 0 }])
      await get(folder.uid, params).expect(400);
  });
});

describe('Document.Export', () => {
  const get = (input: unknown, params: Record<string, unknown> = {}, request = server.request) =>
    call(request, 'Document.Export', { input, params });

  test('answers XML, an archive of a document, or one of a folder with all below it', async () => {
    const folder = await folderIn();
    const file = await fileIn(folder.path, 'a.txt');
    await get(file.uid)
      .expect(200)
      .expect('Content-Type', /^text\/xml/);
    const zipped = await unzipped(get(file.uid, { exportAsZip: true }));
    expect(Object.keys(zipped).sort()).toEqual(['a.txt', 'document.xml']);
    const tree = await unzipped(get(folder.uid, { exportAsTree: true }));
    expect(Object.keys(tree).filter((name) => name.endsWith('a.txt'))).toHaveLength(1);
  });

  test('needs Read', async () => {
    const folder = await folderIn();
    await setAcl(server, folder.path, [deny('Everyone', 'Everything')]);
    await get(folder.uid, {}, bob).expect(403);
  });

  test('refuses unknown documents, and a tree of what is no folder', async () => {
    const file = await fileIn((await folderIn()).path, 'a.txt');
    await get('/nosuch').expect(404);
    await get(file.uid, { exportAsTree: true }).expect(404);
    await get(file.uid, { exportAsZip: 'x' }).expect(400);
  });
});
