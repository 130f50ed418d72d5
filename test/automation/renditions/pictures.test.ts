import { describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { picture, uploadPicture } from '../../rest/renditions/pictures.ts';
import { deny, setAcl } from '../../support/acls.ts';
import { atId, createDocument, type DocumentEntity } from '../../support/documents.ts';
import { asBytes, call } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';

const server = useServer();
const bob = useUser(server, 'bob');

const pictureOf = (bytes: Buffer, type?: string) =>
  uploadPicture(server, bytes, type === undefined ? {} : { type });

const sizeOf = async (body: unknown): Promise<unknown[]> => {
  const { width, height, format, exif } = await sharp(body as Buffer).metadata();
  return [width, height, format, exif];
};

const sizes: ReadonlyArray<readonly [string, number, number]> = [
  ['Thumbnail', 100, 50],
  ['Small', 550, 275],
  ['Medium', 1_000, 500],
  ['FullHD', 1_920, 960],
  ['OriginalJpeg', 2_000, 1_000],
];

interface Listed {
  readonly name: string;
  readonly kind: string | null;
  readonly url: string;
}

const renditionsOf = async ({ uid }: DocumentEntity) => {
  const answer = await server.request.get(atId(uid)).set('enrichers.document', 'renditions').expect(200);
  const all = answer.body.contextParameters.renditions as Listed[];
  return { answer, views: all.filter(({ kind }) => kind === 'nuxeo:picture:conversion') };
};

describe('The views of a picture', () => {
  test('are listed, and are made in their sizes, upright and without metadata', async () => {
    // Taken with the camera on its side: 1000 × 2000 on disk.
    const bytes = await sharp(await picture(1_000, 2_000, 'jpeg'))
      .withExif({ IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const document = await pictureOf(bytes);
    const { views } = await renditionsOf(document);
    expect(views.map(({ name }) => name)).toEqual(sizes.map(([name]) => name));
    for (const [name, width, height] of sizes) {
      for (const path of [
        `${atId(document.uid)}/@rendition/${name}`,
        `/nxpicsfile/default/${document.uid}/${name}:content/x.jpg`,
      ]) {
        const { body, headers } = await asBytes(server.request.get(path)).expect(200);
        expect(await sizeOf(body)).toEqual([width, height, 'jpeg', undefined]);
        expect(headers['content-disposition']).toContain(`${name}_photo.jpg`);
      }
    }
    const after = (await server.request.get(atId(document.uid)).expect(200)).body;
    expect(after.changeToken).toBe(document.changeToken);
  });

  test('are kept for copies, and listed without a statement', async () => {
    const document = await pictureOf(await picture(700, 700, 'jpeg'));
    await server.request.get(`${atId(document.uid)}/@rendition/Small`).expect(200);
    const { prisma } = server.database;
    const before = await prisma.rendition.count();
    const target = (await createDocument(server, { type: 'Folder' })).uid;
    const copy = await call(server.request, 'Document.Copy', { input: document.uid, params: { target } });
    await server.request.get(`${atId(copy.body.uid)}/@rendition/Small`).expect(200);
    expect(await prisma.rendition.count()).toBe(before);
    const plain = await server.request.get(atId(document.uid)).expect(200);
    const { answer } = await renditionsOf(document);
    expect(statements(answer)).toBe(statements(plain));
  });

  test('are PNG of what is transparent, and never larger than the picture', async () => {
    const clear = sharp({ create: { width: 60, height: 30, channels: 4, background: '#00000000' } });
    const document = await pictureOf(await clear.png().toBuffer(), 'image/png');
    for (const [name, format] of [
      ['Medium', 'png'],
      ['OriginalJpeg', 'jpeg'],
    ]) {
      const { body } = await asBytes(server.request.get(`${atId(document.uid)}/@rendition/${name}`));
      expect(await sizeOf(body)).toEqual([60, 30, format, undefined]);
    }
  });

  test('are those that a client has stored, before others', async () => {
    const content = { content: 'small', name: 's.jpg', 'mime-type': 'image/jpeg' };
    const document = await createDocument(server, {
      type: 'Picture',
      properties: { 'picture:views': [{ title: 'Small', content }] },
    });
    expect((await renditionsOf(document)).views.map(({ name }) => name)).toEqual(['Small']);
    const { body } = await asBytes(server.request.get(`${atId(document.uid)}/@rendition/Small`)).expect(200);
    expect(String(body)).toBe('small');
  });

  test('are not there of other documents and files, nor of damaged pictures', async () => {
    const file = await createDocument(server, { properties: { 'file:content': { content: 'x' } } });
    const text = await pictureOf(Buffer.from('text'), 'text/plain');
    for (const each of [file, text]) {
      expect((await renditionsOf(each)).views).toEqual([]);
      await server.request.get(`${atId(each.uid)}/@rendition/Small`).expect(404);
    }
    const damaged = await pictureOf(Buffer.from('no\0picture!'));
    const { body } = await server.request.get(`${atId(damaged.uid)}/@rendition/Small`).expect(404);
    expect(body.message).toMatch(/cannot be converted\.$/);
  });
});

describe('Picture.GetView', () => {
  const get = (input: unknown, viewName?: unknown, request = server.request) =>
    call(request, 'Picture.GetView', { input, params: { viewName } });

  test('answers the view', async () => {
    const { uid } = await pictureOf(await picture(1_400, 700, 'png'), 'image/png');
    expect(await sizeOf((await asBytes(get(uid, 'Small')).expect(200)).body)).toEqual(
      expect.arrayContaining([550, 275]),
    );
    expect((await sizeOf((await asBytes(get(uid)).expect(200)).body))[0]).toBe(1_000);
  });

  test('needs Read', async () => {
    const { uid, path } = await pictureOf(await picture(10, 10, 'jpeg'));
    await setAcl(server, path, [deny('Everyone', 'Everything')]);
    await get(uid, 'Small', bob).expect(403);
  });

  test('refuses an unknown view, and documents that are no pictures', async () => {
    const file = await createDocument(server, { properties: { 'file:content': { content: 'x' } } });
    await get(file.uid, 'Odd').expect(400);
    await get(file.uid, 'Small').expect(404);
    await get('/nosuch', 'Small').expect(404);
  });
});

describe("'Picture.Resize'", () => {
  const resize = (
    given: object,
    params: object = { maxWidth: 100, maxHeight: 100 },
    request = server.request,
  ) => call(request, 'Picture.Resize', { params: { ...params }, ...given });

  test('answers a picture of its kind', async () => {
    for (const format of ['jpeg', 'png', 'webp', 'gif', 'avif'] as const) {
      const bytes = await picture(400, 200, format);
      const { uid } = await pictureOf(bytes, `image/${format}`);
      const blobs = [{ content: bytes, name: `a.${format}`, type: `image/${format}` }];
      for (const given of [{ input: uid }, { blobs }]) {
        const { body, headers } = await asBytes(resize(given)).expect(200);
        expect(headers['content-type']).toBe(`image/${format}`);
        expect((await sizeOf(body)).slice(0, 2)).toEqual([100, 50]);
      }
      const whole = await asBytes(resize({ blobs }, { maxWidth: 900, maxHeight: 900 })).expect(200);
      expect((await sizeOf(whole.body)).slice(0, 2)).toEqual([400, 200]);
    }
  });

  test('is called Image.Blob.Resize, too', async () => {
    const blobs = [{ content: await picture(400, 200, 'png'), name: 'a.png', type: 'image/png' }];
    const params = { maxWidth: 100, maxHeight: 100 };
    const { body } = await asBytes(call(server.request, 'Image.Blob.Resize', { params, blobs })).expect(200);
    expect((await sizeOf(body)).slice(0, 2)).toEqual([100, 50]);
  });

  test('needs Read', async () => {
    const { uid, path } = await pictureOf(await picture(10, 10, 'jpeg'));
    await setAcl(server, path, [deny('Everyone', 'Everything')]);
    await resize({ input: uid }, undefined, bob).expect(403);
  });

  test('refuses sides that are none, other files and damaged pictures', async () => {
    const { uid } = await pictureOf(await picture(10, 10, 'jpeg'));
    const { body } = await resize({ input: uid }, { maxWidth: 0, maxHeight: 9 }).expect(400);
    expect(body.message).toBe('maxWidth must be an integer between 1 and 16383');
    await resize({ input: uid }, { maxWidth: 9 }).expect(400);
    const text = await resize({ blobs: [{ content: 'x', name: 'a.txt', type: 'text/plain' }] }).expect(400);
    expect(text.body.message).toMatch(/^input: \S+ does not accept files of type text\/plain\.$/);
    await resize({ blobs: [{ content: '\0\u0001\u0002', name: 'a.jpg', type: 'image/jpeg' }] }).expect(404);
  });
});
