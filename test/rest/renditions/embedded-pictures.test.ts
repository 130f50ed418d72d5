/** @group slow */

import { deflateSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { atId } from '../../support/documents.ts';
import { encryptedDocx, encryptedOdt, zipOf } from '../../support/made-files.ts';
import { latin1, picturedFiles, u32 } from '../../support/pictured-files.ts';
import { asBytes } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { createBinary } from '../blobs/blob-requests.ts';
import { picture } from './pictures.ts';

// Thumbnails of files that contain a picture of their contents, or say why they have none (§10).

const server = useServer();

const openXml = 'application/vnd.openxmlformats-officedocument';
const docx = `${openXml}.wordprocessingml.document`;
const odt = 'application/vnd.oasis.opendocument.text';

const cover = await picture(700, 500, 'jpeg', '#c02020');

const create = (file: Buffer, type: string, name = 'file') =>
  createBinary(server, file, { name, mimeType: type });

const thumbnail = (uid: string) =>
  asBytes(server.request.get(`${atId(uid)}/@rendition/thumbnail`)).expect(200);

async function iconOf(file: Buffer, type: string, name?: string): Promise<string> {
  const { uid } = await create(file, type, name);
  const { body, headers } = await thumbnail(uid);
  expect(headers['content-type']).toMatch(/^image\/svg\+xml/);
  return String(body);
}

const titleOf = (svg: string): string | undefined => /<title>(.*)<\/title>/.exec(svg)?.[1];

describe('@rendition/thumbnail of a file that contains pictures', () => {
  test.each(Object.keys(picturedFiles))('shows the picture inside %s', async (name) => {
    const { type = '', of = () => Buffer.alloc(0) } = picturedFiles[name] ?? {};
    const { uid } = await create(await of(cover), type);
    const { body } = await thumbnail(uid).expect('Content-Type', 'image/jpeg');
    const { dominant } = await sharp(body as Buffer).stats();
    const { width, height } = await sharp(body as Buffer).metadata();
    expect([width, height]).toEqual([350, 250]);
    expect(dominant.r).toBeGreaterThan(dominant.g + 50);
  });

  test('is an icon with the extension for files that contain no picture, and they are not tried again', async () => {
    const failed = () => server.database.prisma.rendition.count({ where: { digest: null } });
    const before = await failed();
    const file = await zipOf({ 'word/document.xml': '<w:t xmlns:w="u">no picture</w:t>' });
    expect(titleOf(await iconOf(file, docx, 'Letter.docx'))).toBe('DOCX');
    expect(titleOf(await iconOf(Buffer.alloc(900), 'audio/mpeg'))).toMatch(/^MPGA|MP3/);
    expect(await failed()).toBeLessThanOrEqual(before + 1);
    const { uid } = await create(file, docx);
    await server.request.get(`${atId(uid)}/@convert?converter=archive2thumbnail`).expect(404);
  });

  test('is bounded by the pixels and the size of the picture inside', async () => {
    const header = Buffer.alloc(13);
    header.writeUInt32BE(30_000, 0);
    header.writeUInt32BE(30_000, 4);
    header.writeUInt8(1, 8);
    const chunk = (type: string, data: Buffer) =>
      Buffer.concat([u32(data.length), latin1(type), data, u32(0)]);
    const bomb = Buffer.concat([
      latin1('\x89PNG\r\n\x1a\n'),
      chunk('IHDR', header),
      chunk('IDAT', deflateSync(Buffer.alloc(1_000))),
    ]);
    const manyPixels = await zipOf({
      'docProps/thumbnail.png': bomb,
      'word/document.xml': '<w:t xmlns:w="u">x</w:t>',
    });
    const manyBytes = await zipOf({ 'preview.jpg': Buffer.alloc(20_000_001) });
    expect(titleOf(await iconOf(manyPixels, docx))).toBe('DOCX'); // its text can be read
    expect(titleOf(await iconOf(manyBytes, 'application/vnd.apple.pages', 'a.pages'))).toBe(
      'PAGES, cannot be read',
    );
  });
});

describe('@rendition/thumbnail of a file without a picture', () => {
  test.each([
    ['Table 2026.final.CSV', 'text/csv', 'CSV'],
    ['no extension', 'application/x-7z-compressed', '7Z'],
    ['a.<b>', 'application/octet-stream', undefined],
    ['a.bin', 'application/octet-stream', 'BIN'],
    ['a.verylongone', 'application/json', 'JSON'],
  ])('of %s has its extension', async (name, type, title) => {
    expect(titleOf(await iconOf(Buffer.from('x'), type, name))).toBe(title ?? 'File');
  });

  test('has a color for each kind', async () => {
    const types = ['text/csv', 'application/zip', 'message/rfc822', 'application/octet-stream'];
    const icons = await Promise.all(types.map((type) => iconOf(Buffer.from('x'), type)));
    expect(new Set(icons.map((icon) => /fill="(#\w{6})"/.exec(icon)?.[1])).size).toBe(types.length);
  });
});

describe('A file that is encrypted or damaged', () => {
  test.each([
    ['Office document', docx, encryptedDocx, 'encrypted'],
    ['OpenDocument text', odt, encryptedOdt, 'encrypted'],
    ['damaged Office document', docx, () => Buffer.from('PK damaged'), 'cannot be read'],
    [
      'damaged HEIC picture',
      'image/heic',
      () => latin1('\0\0\0\x18ftypheic\0\0\0\0mif1heic'),
      'cannot be read',
    ],
    ['damaged BMP picture', 'image/bmp', () => Buffer.from('BM damaged'), 'cannot be read'],
  ])('says so in the thumbnail and the preview: %s', async (_, type, of, fault) => {
    const file = await of();
    expect(titleOf(await iconOf(file, type))).toMatch(new RegExp(`, ${fault}$`));
    const { uid } = await create(file, type);
    const { text } = await server.request.get(`${atId(uid)}/@preview`).expect(200);
    expect(text).toContain(`<p role="alert">This file ${fault === 'encrypted' ? 'is encrypted' : fault}.`);
  });

  test('says so above a file that the browser itself tries to show', async () => {
    for (const type of ['image/png', 'application/pdf']) {
      const { uid } = await create(Buffer.from('damaged'), type);
      const { text } = await server.request.get(`${atId(uid)}/@preview`).expect(200);
      expect(text).toMatch(/<p role="alert">This file cannot be read\..*<\/p><(img|object) /);
    }
  });
});
