/** @group slow */

import { beforeAll, describe, expect, test } from '@jest/globals';
import { atId, createDocument, type DocumentEntity } from '../../support/documents.ts';
import { runJobs } from '../../support/jobs.ts';
import { useServer } from '../../support/server.ts';
import { settledFiles } from '../../support/settled.ts';
import { beginUpload, cut, send, uploaded } from '../uploads/upload-requests.ts';
import { blobIn, download, local } from './blob-requests.ts';

const server = useServer();
const { request } = server;
beforeAll(() => runJobs(server));

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

async function fileOf(content: Buffer, { name = 'a.txt', type = 'application/octet-stream' } = {}) {
  const batch = await beginUpload(request);
  await send(request, batch, 0, { content, name, type });
  return createDocument(server, { properties: { 'file:content': uploaded(batch, 0) } });
}

const found = async (words: string): Promise<string[]> => {
  const query = `SELECT * FROM Document WHERE ecm:fulltext = '${words}' AND ecm:isVersion = 0`;
  const { body } = await request.get('/api/v1/search/lang/NXQL/execute').query({ query }).expect(200);
  return body.entries.map(({ uid }: DocumentEntity) => uid);
};

function utf32(text: string, isLittleEndian: boolean): Buffer {
  const characters = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const bytes = Buffer.alloc(4 * characters.length);
  for (const [index, character] of characters.entries())
    if (isLittleEndian) bytes.writeUInt32LE(character, 4 * index);
    else bytes.writeUInt32BE(character, 4 * index);
  return bytes;
}

/** Texts with their bytes. */
const texts: ReadonlyArray<readonly [encoding: string, bytes: Buffer, text: string, word: string]> = [
  [
    'windows-1252',
    Buffer.from('M\xfcller schuldet 12 \x80 f\xfcr Gem\xfcse', 'latin1'),
    'Müller schuldet 12 € für Gemüse',
    'gemüse',
  ],
  [
    'KOI8-R',
    hex('f0 d2 c9 d7 c5 d4 20 cd c9 d2 20 c4 cf cb d5 cd c5 ce d4'),
    'Привет мир документ',
    'документ',
  ],
  ['windows-1251', hex('cf f0 e8 e2 e5 f2 20 ec e8 f0 20 eb ee e4 ea e0'), 'Привет мир лодка', 'лодка'],
  ['SHIFT_JIS', hex('93 fa 96 7b 8c ea 83 65 83 4c 83 58 83 67 95 b6 8f 91'), '日本語テキスト文書', '文書'],
  ['ISO-2022-JP', hex('1b 24 42 45 6c 35 7e 1b 28 42'), '東京', '東京'],
  ['GB18030', hex('d6 d0 ce c4 ce c4 b1 be ce c4 b5 b5'), '中文文本文档', '文档'],
  ['UTF-16LE', Buffer.from('Stühle 99', 'utf16le'), 'Stühle 99', 'stühle'],
  ['UTF-16BE', Buffer.from('\ufeffTische 12', 'utf16le').swap16(), 'Tische 12', 'tische'],
  ['UTF-32LE', utf32('\ufeffSchränke 😀', true), 'Schränke 😀', 'schränke'],
  ['UTF-32BE', utf32('\ufeffRegale für 3', false), 'Regale für 3', 'regale'],
  ['UTF-8', Buffer.from('Bänke'), 'Bänke', 'bänke'],
];

describe('§2.1 the encoding of a text', () => {
  test.each(texts)('is found: %s; the stored bytes stay the same', async (encoding, bytes, text, word) => {
    const file = await fileOf(bytes);
    expect(blobIn(file)).toMatchObject({ encoding, 'mime-type': 'text/plain', length: String(bytes.length) });
    expect((await download(server, local(blobIn(file).data)).expect(200)).body).toEqual(bytes);
    await settledFiles(server);
    expect(await found(word)).toEqual([file.uid]);
    const preview = await request.get(`${atId(file.uid)}/@preview`).expect(200);
    expect(preview.text).toContain(`<pre>${text}</pre>`);
    const page = await request.get(`${atId(file.uid)}/@convert?type=text/html`).expect(200);
    expect(page.text).toContain(`<pre>${text}</pre>`);
  });

  test('is null for ASCII and for files other than text', async () => {
    expect(blobIn(await fileOf(Buffer.from('plain')))).toMatchObject({ encoding: null });
    expect(blobIn(await fileOf(hex('89 50 4e 47 0d 0a 1a 0a 00 00'), { name: 'a.png' }))).toMatchObject({
      encoding: null,
    });
  });

  test('is found when the last chunk of a file arrives', async () => {
    const batch = await beginUpload(request);
    const bytes = texts[1]?.[1] ?? Buffer.alloc(0);
    for (const chunk of cut(bytes, 2, 'a.txt')) await send(request, batch, 0, chunk);
    const file = await createDocument(server, { properties: { 'file:content': uploaded(batch, 0) } });
    expect(blobIn(file)).toMatchObject({ encoding: 'KOI8-R' });
  });

  test('is guessed by the bytes beyond ASCII, however late they come', async () => {
    const late = Buffer.concat([
      Buffer.alloc(100_000, 'a '),
      texts[1]?.[1] ?? Buffer.alloc(0),
      Buffer.from(' zulu'),
    ]);
    const { uid } = await fileOf(late);
    await settledFiles(server);
    expect(await found('документ zulu')).toEqual([uid]);
  });
});

// Lithuanian, which is not guessed right from so few letters.
const rare = Buffer.from('\xc0\xfeuolas', 'latin1');

describe('§2.1 a declared encoding wins over guessing', () => {
  const around = (start: string, end: string) => Buffer.concat([Buffer.from(start), rare, Buffer.from(end)]);

  test.each([
    ['the media type', rare, 'a.txt', 'text/plain; charset=windows-1257'],
    ['XML', around('<?xml version="1.0" encoding="windows-1257"?><a>', '</a>'), 'a.xml', 'application/xml'],
    ['HTML', around('<html><head><meta charset=windows-1257></head><p>', '</p>'), 'a.html', 'text/html'],
    [
      'HTML in the older form',
      around('<meta http-equiv="Content-Type" content="text/html; charset=windows-1257"><b>', '</b>'),
      'b.html',
      'text/html',
    ],
  ])('in %s', async (_, bytes, name, type) => {
    const { uid } = await fileOf(bytes, { name, type });
    await settledFiles(server);
    expect(await found('ąžuolas')).toContain(uid);
    expect((await request.get(`${atId(uid)}/@preview`).expect(200)).text).toContain('Ąžuolas');
    expect((await request.get(`${atId(uid)}/@convert?type=application/pdf`)).status).toBe(200);
  });

  test.each(['utf-8', 'shift_jis', 'no-such-encoding'])(
    'unless the bytes contradict it: %s',
    async (charset) => {
      const bytes = Buffer.from(`caf\xe9 ${charset}`, 'latin1');
      const { uid } = await fileOf(bytes, { type: `text/plain; charset=${charset}` });
      await settledFiles(server);
      expect(await found(`café "${charset}"`)).toEqual([uid]);
    },
  );
});
