import { describe, expect, test } from '@jest/globals';
import { strFromU8, unzipSync } from 'fflate';
import { deny, grant, setAcl } from '../../support/acls.ts';
import { atId, createDocument, type DocumentEntity } from '../../support/documents.ts';
import { asBytes } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';
import { createBinary } from '../blobs/blob-requests.ts';

const server = useServer();
const bob = useUser(server, 'bob');

async function archive(
  { uid }: Pick<DocumentEntity, 'uid'>,
  name: string,
  request = server.request,
): Promise<Record<string, string>> {
  const { body } = await asBytes(request.get(`${atId(uid)}/@rendition/${name}`))
    .expect(200)
    .expect('Content-Type', 'application/zip');
  const files = Object.entries(unzipSync(body as Buffer));
  return Object.fromEntries(files.map(([path, bytes]) => [path, strFromU8(bytes)]));
}

const fileWith = (content: string, name: string, parent?: string): Promise<DocumentEntity> =>
  createDocument(server, { parent, properties: { 'file:content': { content, name } } });

describe('@rendition/zipExport', () => {
  test('has the document as XML, and its files by their names', async () => {
    const document = await createDocument(server, {
      properties: {
        'dc:title': 'Zipped',
        'file:content': { content: 'main', name: 'a.txt' },
        'files:files': [{ file: { content: 'other', name: 'a.txt' } }, { file: { content: 'third' } }],
      },
    });
    const files = await archive(document, 'zipExport');
    expect(Object.keys(files).sort()).toEqual(['1-a.txt', 'a.txt', 'document.xml', 'file']);
    expect(files).toMatchObject({ 'a.txt': 'main', '1-a.txt': 'other', file: 'third' });
    expect(files['document.xml']).toContain('<dc:title>Zipped</dc:title>');
  });

  test('has each of its files under a name of its own', async () => {
    const named = ['2-a.txt', 'a.txt', 'a.txt', 'a.txt', 'document.xml', 'a:b', 'a?b'];
    const document = await createDocument(server, {
      properties: {
        'files:files': named.map((name, index) => ({ file: { content: `content ${index}`, name } })),
      },
    });
    const { 'document.xml': xml, ...files } = await archive(document, 'zipExport');
    expect(xml).toContain('<document');
    expect(files).toEqual({
      '2-a.txt': 'content 0',
      'a.txt': 'content 1',
      '1-a.txt': 'content 2',
      '3-a.txt': 'content 3',
      '1-document.xml': 'content 4',
      a_b: 'content 5',
      '1-a_b': 'content 6',
    });
  });

  test('has bytes as they are, and names that stay inside of it', async () => {
    const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 251));
    const file = await createBinary(server, bytes, { name: '../../etc/pass\u0001wd' });
    const { body } = await asBytes(server.request.get(`${atId(file.uid)}/@rendition/zipExport`)).expect(200);
    const found = unzipSync(body as Buffer);
    expect(Object.keys(found).sort()).toEqual(['.._.._etc_pass_wd', 'document.xml']);
    expect(Buffer.from(found['.._.._etc_pass_wd'] ?? []).equals(bytes)).toBe(true);
  });

  test('is the same file each time, is cut off by ranges, and is none of a folder', async () => {
    const file = await fileWith('x', 'x.txt');
    const at = `${atId(file.uid)}/@rendition/zipExport`;
    // Addresses in the XML have the host that the client names.
    const get = () => server.request.get(at).set('Host', 'quire.example').expect(200);
    const [one, other] = [await get(), await get()];
    expect(other.headers.etag).toBe(one.headers.etag);
    const { headers } = await server.request.get(at).set('Range', 'bytes=0-3').expect(206);
    expect(headers['content-length']).toBe('4');
    const folder = await createDocument(server, { type: 'Folder' });
    await server.request.get(`${atId(folder.uid)}/@rendition/zipExport`).expect(404);
    await server.request.get(`${atId(file.uid)}/@rendition/zipTreeExport`).expect(404);
  });
});

describe('@rendition/zipTreeExport', () => {
  test('has a folder for each document that the caller may read, outside of the trash', async () => {
    const top = await createDocument(server, { type: 'Workspace', name: 'top' });
    const inner = await createDocument(server, { type: 'Folder', name: 'inner', parent: top.path });
    const file = await fileWith('seen', 'seen.txt', inner.path);
    const hidden = await fileWith('hidden', 'hidden.txt', inner.path);
    const trashed = await fileWith('trashed', 'trashed.txt', inner.path);
    await server.request
      .post(`${atId(trashed.uid)}/@op/Document.Trash`)
      .send({ params: {} })
      .expect(200);
    const all = await archive(top, 'zipTreeExport');
    expect(Object.keys(all).sort()).toEqual(
      [
        'top/document.xml',
        'top/inner/document.xml',
        `top/inner/${file.name}/document.xml`,
        `top/inner/${file.name}/seen.txt`,
        `top/inner/${hidden.name}/document.xml`,
        `top/inner/${hidden.name}/hidden.txt`,
      ].sort(),
    );
    expect(all[`top/inner/${file.name}/seen.txt`]).toBe('seen');

    await setAcl(server, top.path, [grant('bob', 'Read')]);
    await setAcl(server, hidden.path, [deny('Everyone', 'Everything')]);
    const seen = await archive(top, 'zipTreeExport', bob);
    expect(Object.values(seen)).toContain('seen');
    expect(Object.values(seen)).not.toContain('hidden');
    expect(Object.keys(seen)).toHaveLength(4);
  });

  test('has no file or folder of the same name as another one', async () => {
    const top = await createDocument(server, { type: 'Folder', name: 'names' });
    const below = (name: string, content: string, parent = top.path) =>
      createDocument(server, { name, parent, properties: { 'file:content': { content, name: 'x.txt' } } });
    for (const name of ['a:b', 'a?b', 'document.xml']) await below(name, `of ${name}`);
    const inner = await below('inner', 'of inner');
    await below('x.txt', 'of x', inner.path);
    const files = await archive(top, 'zipTreeExport');
    const texts = Object.entries(files).filter(([name]) => name.endsWith('/x.txt'));
    expect(Object.fromEntries(texts)).toEqual({
      'names/a_b/x.txt': 'of a:b',
      'names/1-a_b/x.txt': 'of a?b',
      'names/1-document.xml/x.txt': 'of document.xml',
      'names/inner/x.txt': 'of inner',
      'names/inner/1-x.txt/x.txt': 'of x',
    });
    const all = Object.keys(files);
    expect(all.filter((name) => all.some((other) => other.startsWith(`${name}/`)))).toEqual([]);
    expect(all.filter((name) => name.endsWith('/document.xml'))).toHaveLength(6);
  });

  test('of an empty folder has the folder alone', async () => {
    const folder = await createDocument(server, { type: 'Folder', name: 'empty' });
    expect(Object.keys(await archive(folder, 'zipTreeExport'))).toEqual(['empty/document.xml']);
  });

  test('costs as many statements for twenty documents as for one', async () => {
    const folderWith = async (count: number) => {
      const folder = await createDocument(server, { type: 'Folder' });
      for (let made = 0; made < count; made += 1) await fileWith(`${made}`, 'f.txt', folder.path);
      return folder;
    };
    const [one, many] = [await folderWith(1), await folderWith(20)];
    const cost = async ({ uid }: DocumentEntity) =>
      statements(await server.request.get(`${atId(uid)}/@rendition/zipTreeExport`).expect(200));
    await cost(many); // the index has caught up
    expect(await cost(many)).toBe(await cost(one));
  });
});
