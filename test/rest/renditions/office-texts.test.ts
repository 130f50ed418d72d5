/** @group slow */

import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { atId, type DocumentEntity } from '../../support/documents.ts';
import { compoundOf, zipOf } from '../../support/made-files.ts';
import { useServer } from '../../support/server.ts';
import { as, useUser } from '../../support/users.ts';
import { createBinary } from '../blobs/blob-requests.ts';

const server = useServer();
useUser(server, 'bob');

const types = {
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
  msg: 'application/vnd.ms-outlook',
  epub: 'application/epub+zip',
} as const;

type Kind = keyof typeof types;

const fixture = (name: string) => readFile(new URL(`../../fixtures/${name}`, import.meta.url));

const create = (bytes: Buffer, kind: Kind) => createBinary(server, bytes, { mimeType: types[kind] });

const converted = ({ uid }: Pick<DocumentEntity, 'uid'>, request = server.request) =>
  request.get(`${atId(uid)}/@convert`).query({ type: 'text/plain' });

const textOf = async (bytes: Buffer, kind: Kind): Promise<string> =>
  (await converted(await create(bytes, kind)).expect(200)).text;

/** A record of a presentation; a container if it has other records. */
function record(type: number, ...content: readonly Buffer[]): Buffer {
  const isContainer = content.length > 0 && type !== 0x0fa0 && type !== 0x0fba && !isAtom.has(type);
  const body = Buffer.concat(content);
  const header = Buffer.alloc(8);
  header.writeUInt16LE(isContainer ? 0xf : 0, 0);
  header.writeUInt16LE(type, 2);
  header.writeUInt32LE(body.length, 4);
  return Buffer.concat([header, body]);
}

const isAtom = new Set([0x0fa0, 0x0fa8, 0x0fba, 0x0ff5, 0x1772]);

const words = (...numbers: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(numbers.length * 4);
  for (const [index, number] of numbers.entries()) bytes.writeUInt32LE(number, index * 4);
  return bytes;
};

const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');

/** A presentation with a slide that was saved twice, the second time with other texts. */
function presentation(first: readonly Buffer[], second: readonly Buffer[], token = 0xe391c05f): Buffer {
  const slides = [record(0x03ee, ...first), record(0x03ee, ...second)];
  let bytes = Buffer.alloc(0);
  let lastEdit = 0;
  for (const slide of slides) {
    const at = bytes.length;
    const directory = record(0x1772, words(0x0010_0001, at));
    const edit = record(0x0ff5, words(0, 0, lastEdit, at + slide.length));
    lastEdit = at + slide.length + directory.length;
    bytes = Buffer.concat([bytes, slide, directory, edit]);
  }
  return compoundOf({
    'Current User': Buffer.concat([Buffer.alloc(8), words(0, token, lastEdit)]),
    'PowerPoint Document': bytes,
  });
}

/** A document of Word 1 to 95. @param signature says which */
function oldWord(signature: number, text: Buffer, flags = 0): Buffer {
  const header = Buffer.alloc(0x300);
  header.writeUInt16LE(signature, 0);
  header.writeUInt16LE(flags, 0x0a);
  header.writeUInt32LE(header.length, 0x18);
  header.writeUInt32LE(header.length + text.length, 0x1c);
  return Buffer.concat([header, text]);
}

describe('§10 the text of files by older office programs', () => {
  test.each([
    ['text.doc', 'doc'],
    ['sheet.xls', 'xls'],
    ['slides.ppt.gz', 'ppt'],
  ] as const)('is that of %s, which LibreOffice has written', async (name, kind) => {
    const bytes = await fixture(name);
    expect(await textOf(name.endsWith('.gz') ? gunzipSync(bytes) : bytes, kind)).toMatch(/pelican/i);
  });

  test('has the current version of a slide, in both encodings, with headers and without names', async () => {
    const text = await textOf(
      presentation(
        [record(0x0fa0, utf16('outdated'))],
        [
          record(0x0fa0, utf16('Łódź')),
          record(0xf00d, record(0x0fa8, Buffer.from('caf\xe9', 'latin1'))),
          record(0x0fd9, record(0x0fba, utf16('a footer'))),
          record(0x0fba, utf16('a name')),
        ],
      ),
      'ppt',
    );
    expect(text.trim().split('\n')).toEqual(['Łódź', 'café', 'a footer']);
  });

  test('has numbers of a workbook as shown and as they are', async () => {
    const { utils, write } = await import('@e965/xlsx');
    const sheet = utils.aoa_to_sheet([[1234567.891]]);
    if (sheet.A1) sheet.A1.z = '#,##0.00';
    const book = utils.book_new();
    utils.book_append_sheet(book, sheet, 'Budget');
    const text = await textOf(write(book, { type: 'buffer', bookType: 'biff8' }), 'xls');
    expect(text.trim().split('\n')).toEqual(['Budget', '1,234,567.89', '1234567.891']);
  });

  test.each([
    ['Word 6', (text: Buffer) => compoundOf({ WordDocument: oldWord(0xa5dc, text) })],
    ['Word 2', (text: Buffer) => oldWord(0xa5db, text)],
  ])('is that of a document of %s, with the results of fields', async (_, make) => {
    const cyrillic = Buffer.from('cff0e8e2e5f220ece8f020eeeae5e0ed', 'hex'); // in windows-1251
    const shown = Buffer.from(
      '\r\x13 HYPERLINK "http://a.test" \x14a \x13 REF x \x14link\x15\x15 no\x1fte\x02',
      'latin1',
    );
    expect(await textOf(make(Buffer.concat([cyrillic, shown])), 'doc')).toBe('Привет мир океан\na link note');
  });

  test('has the current text of a document of Word 95 that was saved in parts', async () => {
    const bytes = oldWord(0xa5dc, Buffer.from('the outdated text'), 0x0004);
    const added = 'current ';
    // Two pieces: the added text, followed by the end of the older text.
    const [addedAt, oldAt] = [bytes.length, 0x300 + 'the outdated '.length];
    const table = Buffer.alloc(28);
    for (const [index, end] of [0, added.length, added.length + 4].entries())
      table.writeUInt32LE(end, 4 * index);
    table.writeUInt32LE(addedAt, 14);
    table.writeUInt32LE(oldAt, 22);
    const head = Buffer.from([1, 2, 0, 9, 9, 2, table.length, 0, 0, 0]); // other changes come first
    bytes.writeUInt32LE(addedAt + added.length, 0x160);
    bytes.writeUInt32LE(head.length + table.length, 0x164);
    const all = Buffer.concat([bytes, Buffer.from(added), head, table]);
    expect(await textOf(compoundOf({ WordDocument: all }), 'doc')).toBe('current text');
  });

  test('has the headers, text boxes and charts of a workbook', async () => {
    const { CFB, utils, write } = await import('@e965/xlsx');
    const book = utils.book_new();
    utils.book_append_sheet(book, utils.aoa_to_sheet([['cell']]), 'Sheet');
    const written = CFB.read(write(book, { type: 'buffer', bookType: 'biff8' }), { type: 'buffer' });
    const narrow = (text: string) => Buffer.concat([Buffer.from([0]), Buffer.from(text, 'latin1')]);
    const wide = (text: string) => Buffer.concat([Buffer.from([1]), utf16(text)]);
    const of = (type: number, ...content: readonly Buffer[]) => {
      const body = Buffer.concat(content);
      return Buffer.concat([Buffer.from([type & 255, type >> 8, body.length & 255, body.length >> 8]), body]);
    };
    const box = Buffer.alloc(18);
    box.writeUInt16LE('text box Ł'.length, 10);
    const records = [
      of(0x14, Buffer.from([8, 0]), narrow('&LHeader')),
      of(0x15, Buffer.from([7, 0]), wide('&CŁódź!')),
      of(0x1b6, box),
      of(0x3c, narrow('text box ')),
      of(0x3c, wide('Ł')),
      of(0x3c, Buffer.alloc(16, 65)), // the formats of the text
      of(0x100d, Buffer.from([0, 0, 5]), narrow('Chart')),
    ];
    const entry = CFB.find(written, '/Workbook');
    const bytes = compoundOf({ Workbook: Buffer.concat([Buffer.from(entry?.content ?? []), ...records]) });
    const lines = (await textOf(bytes, 'xls')).split('\n').map((line) => line.trim());
    expect(lines.filter((line) => line !== '')).toEqual([
      'Sheet',
      'cell',
      'Header',
      'Łódź!',
      'text box',
      'Ł',
      'Chart',
    ]);
  });

  test.each([
    ['text', '1000001E', 0x3ffd, 1251, Buffer.from('cff0e8e2e5f220ece8f0', 'hex')],
    [
      'HTML',
      '10130102',
      0x3fde,
      20866,
      Buffer.concat([Buffer.from('<p>'), Buffer.from('f0d2c9d7c5d420cdc9d2', 'hex')]),
    ],
  ])('is decoded by the code page of an Outlook message: %s', async (_, field, property, codePage, body) => {
    const properties = Buffer.alloc(48);
    properties.writeUInt16LE(3, 32);
    properties.writeUInt16LE(property, 34);
    properties.writeUInt32LE(codePage, 40);
    const bytes = compoundOf({ '__properties_version1.0': properties, [`__substg1.0_${field}`]: body });
    expect((await textOf(bytes, 'msg')).trim()).toBe('Привет мир');
  });

  test('is shown in the preview without programs', async () => {
    const { uid } = await create(await fixture('text.doc'), 'doc');
    const { text } = await server.request.get(`${atId(uid)}/@preview`).expect(200);
    expect(text).toMatch(/<pre>[\s\S]*pelican/i);
  });
});

describe('§10 a file that cannot be read is 404', () => {
  const streams = { 'PowerPoint Document': Buffer.alloc(10), WordDocument: Buffer.alloc(10) };

  test.each(
    (Object.keys(types) as Kind[]).flatMap((kind) => [
      [kind, 'no file of the kind', Buffer.from([0, 1, 2, 255, 254, 0, 3])] as const,
      [kind, 'an empty container', compoundOf({ Other: Buffer.alloc(10) })] as const,
      [
        kind,
        'damaged',
        Buffer.concat([compoundOf(streams).subarray(0, 600), Buffer.alloc(5_000, 0xa5)]),
      ] as const,
    ]),
  )('a %s that is %s', async (kind, _, bytes) => {
    const answer = await converted(await create(bytes, kind));
    expect([kind === 'msg' ? 200 : 404, 404]).toContain(answer.status);
    if (answer.status === 200) expect(answer.text.trim()).toBe('');
  });

  test('a truncated file of each kind', async () => {
    for (const [name, kind] of [
      ['text.doc', 'doc'],
      ['sheet.xls', 'xls'],
    ] as const) {
      const bytes = await fixture(name);
      expect([200, 404]).toContain(
        (await converted(await create(bytes.subarray(0, bytes.length / 2), kind))).status,
      );
    }
    await server.request.get(atId((await create(Buffer.from('x'), 'doc')).uid)).expect(200);
  });

  test('records that contain each other without end are read to a depth', async () => {
    let nested = record(0x0fa0, utf16('deep'));
    for (let depth = 0; depth < 1_000; depth += 1) nested = record(0xf00d, nested);
    expect((await textOf(presentation([], [nested]), 'ppt')).trim()).toBe('');
  });
});

describe('§10 an encrypted file says so to everyone who can read it', () => {
  const doc = Buffer.alloc(1_000);
  doc.writeUInt16LE(0xa5ec, 0);
  doc.writeUInt16LE(0x0100, 10);
  const page = '<html><body>secret</body></html>';
  const encryption =
    '<encryption><EncryptedData><CipherData><CipherReference URI="a.xhtml"/></CipherData></EncryptedData></encryption>';

  test.each([
    ['doc', async () => compoundOf({ WordDocument: doc })],
    ['doc', async () => oldWord(0xa5db, Buffer.from('secret'), 0x0100)],
    ['ppt', async () => presentation([], [], 0xf3d1c4df)],
    ['epub', () => zipOf({ 'META-INF/encryption.xml': encryption, 'a.xhtml': page })],
  ] as const)('in the 404 of a %s', async (kind, make) => {
    const file = await create(await make(), kind);
    await server.request
      .post(`/api/v1/automation/Document.AddPermission`)
      .send({ input: file.uid, params: { username: 'bob', permission: 'Read' } })
      .expect(200);
    const { body } = await converted(file, as(server, 'bob')).expect(404);
    expect(body.message).toMatch(/cannot be converted by \w+: the file is encrypted/);
  });
});

const openXml = 'application/vnd.openxmlformats-officedocument';
const openDocument = 'application/vnd.oasis.opendocument';

/** The lines of the text of an archive of XML files. Prefixes stand for themselves. */
const linesOf = async (mimeType: string, files: Readonly<Record<string, string | Buffer>>) => {
  const declared = Object.entries(files).map(([name, xml]) => [
    name,
    typeof xml === 'string' && xml.startsWith('<x>') ? xml.replace('<x>', `<x ${namespaces}>`) : xml,
  ]);
  // The type makes the bytes differ, so that no stored conversion of another type is the answer.
  const all = { ...Object.fromEntries(declared), 'docProps/type': mimeType };
  const { uid } = await createBinary(server, await zipOf(all), { mimeType });
  const { text, body } = await converted({ uid });
  expect(body.message).toBeUndefined();
  return (text as string).split('\n').filter((line) => line.trim() !== '');
};

const namespaces = [
  'w',
  'a',
  'c',
  'mc',
  'p',
  'wps',
  'text',
  'table',
  'office',
  'dc',
  'style',
  'presentation',
  'chart',
]
  .map((prefix) => `xmlns:${prefix}="urn:${prefix}"`)
  .join(' ');

const run = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;

describe('§10 the text of office files has what people see', () => {
  test.each([
    `${openXml}.wordprocessingml.document`,
    `${openXml}.wordprocessingml.template`,
    'application/vnd.ms-word.document.macroEnabled.12',
    'application/vnd.ms-word.template.macroEnabled.12',
  ])('in text boxes, notes, headers, comments, charts and alternative chunks of %s', async (type) => {
    const box = (text: string) => `<wps:txbx><w:txbxContent>${run(text)}</w:txbxContent></wps:txbx>`;
    const lines = await linesOf(type, {
      'word/document.xml': `<x><w:p><w:t>bo</w:t><w:t>dy</w:t><mc:AlternateContent><mc:Choice>${box('box')}</mc:Choice>
        <mc:Fallback>${box('older box')}</mc:Fallback></mc:AlternateContent></w:p><w:p><w:delText>deleted</w:delText><w:tab/><w:t>tab</w:t></w:p></x>`,
      'word/footnotes.xml': `<x>${run('footnote')}</x>`,
      'word/endnotes.xml': `<x>${run('endnote')}</x>`,
      'word/header2.xml': `<x>${run('header')}</x>`,
      'word/footer1.xml': `<x>${run('footer')}</x>`,
      'word/comments.xml': `<x>${run('comment')}</x>`,
      'word/charts/chart1.xml': '<x><a:p><a:t>chart</a:t></a:p><c:pt><c:v>category</c:v></c:pt></x>',
      'word/diagrams/data1.xml': '<x><a:p><a:t>diagram</a:t></a:p></x>',
      'word/chunk.html': '<p>alternative &amp; chunk</p>',
      'word/chunk.docx': await zipOf({ 'word/document.xml': `<x xmlns:w="w">${run('inner document')}</x>` }),
    });
    expect(lines).toEqual([
      'body',
      'box',
      'tab',
      'footnote',
      'endnote',
      'header',
      'footer',
      'comment',
      'chart',
      'category',
      'diagram',
      'alternative & chunk',
      'inner document',
    ]);
  });

  test.each([
    `${openXml}.presentationml.presentation`,
    `${openXml}.presentationml.slideshow`,
    `${openXml}.presentationml.template`,
    'application/vnd.ms-powerpoint.presentation.macroEnabled.12',
    'application/vnd.ms-powerpoint.slideshow.macroEnabled.12',
  ])('on slides, in notes, comments and charts of %s', async (type) => {
    const lines = await linesOf(type, {
      'ppt/slides/slide1.xml': '<x><a:p><a:t>sli</a:t><a:t>de</a:t><a:br/><a:t>line</a:t></a:p></x>',
      'ppt/notesSlides/notesSlide1.xml': '<x><a:p><a:t>note</a:t></a:p></x>',
      'ppt/comments/comment1.xml': '<x><p:text>comment</p:text></x>',
      'ppt/charts/chart1.xml': '<x><c:pt><c:v>category</c:v></c:pt><c:pt><c:v>12.5</c:v></c:pt></x>',
      'ppt/slideLayouts/slideLayout1.xml': '<x><a:p><a:t>Click to edit</a:t></a:p></x>',
    });
    expect(lines).toEqual(['slide', 'line', 'note', 'comment', 'category', '12.5']);
  });

  test.each([
    `${openXml}.spreadsheetml.sheet`,
    `${openXml}.spreadsheetml.template`,
    'application/vnd.ms-excel.sheet.macroEnabled.12',
    'application/vnd.ms-excel.template.macroEnabled.12',
  ])('in cells as shown and as stored, and around them, in %s', async (type) => {
    const lines = await linesOf(type, {
      'xl/workbook.xml': '<x><workbookPr/><sheets><sheet name="Budget"/></sheets></x>',
      'xl/styles.xml':
        '<x><numFmts><numFmt numFmtId="164" formatCode="#,##0.00"/></numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="14"/><xf numFmtId="9"/></cellXfs></x>',
      'xl/sharedStrings.xml':
        '<x><si><r><t>sha</t></r><r><t>red</t></r><rPh><t>pronounced</t></rPh></si></x>',
      'xl/worksheets/sheet1.xml': `<x><row><c t="s"><v>0</v></c><c t="inlineStr"><is><t>inline</t></is></c><c><v>7</v></c><c s="1"><v>1234567.891</v></c>
        <c s="2"><v>43831</v></c><c s="3"><v>0.5</v></c><c t="str"><f>"a"&amp;"b"</f><v>ab</v></c><c t="b"><v>1</v></c><c t="e"><v>#REF!</v></c><c s="99"><v>1E3</v></c></row>
        <headerFooter><oddHeader>&amp;L&amp;"Arial,Bold"Left&amp;CQ&amp;&amp;A &amp;P</oddHeader></headerFooter></x>`,
      'xl/comments1.xml': '<x><comment><text><r><t>comment</t></r></text></comment></x>',
      'xl/threadedComments/threadedComment1.xml':
        '<x><threadedComment><text>thread</text></threadedComment></x>',
      'xl/drawings/drawing1.xml': '<x><a:p><a:t>text box</a:t></a:p></x>',
      'xl/charts/chart1.xml': '<x><a:p><a:t>chart title</a:t></a:p></x>',
    });
    expect(lines.map((line) => line.trim())).toEqual([
      'Budget',
      'shared',
      'inline',
      '7',
      '1,234,567.89',
      '1234567.891',
      '1/1/20',
      '43831',
      '50%',
      '0.5',
      'ab',
      'TRUE',
      '1000',
      'Left Q&A',
      'comment',
      'thread',
      'text box',
      'chart title',
    ]);
  });

  test('in notes, annotations, headers and charts of ODT, without deleted text', async () => {
    const lines = await linesOf(`${openDocument}.text`, {
      'content.xml': `<x><text:tracked-changes><text:p>deleted</text:p></text:tracked-changes><text:p>be<text:note><text:note-citation>1</text:note-citation>
        <text:note-body><text:p>note</text:p></text:note-body></text:note>fore<office:annotation><dc:creator>Ann</dc:creator><dc:date>2026-01-01</dc:date><text:p>remark</text:p></office:annotation>after<text:s/>blank</text:p></x>`,
      'styles.xml':
        '<x><text:p>a style</text:p><style:header><text:p>header</text:p></style:header><style:footer-left><text:p>footer</text:p></style:footer-left></x>',
      'Object 1/content.xml': '<x><chart:title><text:p>chart</text:p></chart:title></x>',
    });
    expect(lines.map((line) => line.trim())).toEqual([
      'be',
      'note',
      'fore',
      'Ann',
      'remark',
      'after blank',
      'header',
      'footer',
      'chart',
    ]);
  });

  test('in sheets of ODS as shown and as stored, and on slides of ODP', async () => {
    const cell = (value: string, shown: string) =>
      `<table:table-cell office:value="${value}"><text:p>${shown}</text:p></table:table-cell>`;
    expect(
      await linesOf(`${openDocument}.spreadsheet`, {
        'content.xml': `<x><table:table table:name="Budget">${cell('1234.5', '1,234.50')}${cell('7', '7')}</table:table></x>`,
      }),
    ).toEqual(['Budget', '1,234.50', '1234.5', '7']);
    expect(
      await linesOf(`${openDocument}.presentation`, {
        'content.xml':
          '<x><presentation:footer-decl>footer</presentation:footer-decl><text:p>slide</text:p><presentation:notes><text:p>note</text:p></presentation:notes></x>',
      }),
    ).toEqual(['footer', 'slide', 'note']);
  });

  test.each([
    ['DOC', `${openXml}.wordprocessingml.document`, 'text.doc'],
    ['RTF', types.doc, 'text.rtf'],
    ['DOCX', types.doc, 'text.docx'],
  ])('of a %s with the media type of another format', async (_, mimeType, name) => {
    const { uid } = await createBinary(server, await fixture(name), { mimeType });
    expect((await converted({ uid }).expect(200)).text).toMatch(/pelican/i);
  });

  test('of a page with the media type of a workbook', async () => {
    const page = Buffer.from('<html><body><table><tr><td>pel<b>ican</b></td></tr></table></body></html>');
    const { uid } = await createBinary(server, page, { mimeType: types.xls });
    expect((await converted({ uid }).expect(200)).text.trim()).toBe('pelican');
  });
});

describe('§10 the text of a mail has that of its attachments', () => {
  const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll(/.{76}/g, '$&\r\n');
  const part = (name: string, bytes: Buffer) =>
    `--x\r\nContent-Type: application/octet-stream\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64(bytes)}\r\n`;
  const mail = (...parts: readonly string[]) =>
    Buffer.from(
      `From: A <a@example.org>\r\nSubject: S\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain\r\n\r\nthe body\r\n${parts.join('')}--x--\r\n`,
    );
  const textOfMail = async (bytes: Buffer): Promise<string> =>
    (await converted(await createBinary(server, bytes, { mimeType: 'message/rfc822' })).expect(200)).text;

  test('by their names and contents, even if one of them is damaged', async () => {
    const text = await textOfMail(
      mail(
        part('report.docx', await fixture('text.docx')),
        part('broken.pdf', Buffer.from('%PDF-1.4 broken')),
        part('notes.txt', Buffer.from('some notes')),
        part('inner.eml', mail(part('deep.txt', Buffer.from('deep text')))),
      ),
    );
    expect(text).toMatch(
      /the body[\s\S]*report\.docx[\s\S]*pelican[\s\S]*broken\.pdf[\s\S]*notes\.txt\s+some notes/i,
    );
    expect(text).toContain('deep text');
  });

  test('in the character set of each part, declared or not', async () => {
    const of = (header: string, hex: string) =>
      `--x\r\n${header}\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64(Buffer.from(hex, 'hex'))}\r\n`;
    const text = await textOfMail(
      mail(
        of('Content-Type: text/plain; charset=koi8-r', 'f0d2c9d7c5d4'),
        of('Content-Type: text/plain', 'cff0e8e2e5f220ece8f020eeeae5e0ed'), // in windows-1251
        of(
          'Content-Type: text/html; charset=iso-8859-2',
          '3c703e4b7369b1bf6b61206f206d6965b663696520a3f364bc',
        ),
        of(
          'Content-Type: text/plain; charset=windows-1257\r\nContent-Disposition: attachment; filename=a.txt',
          'c0fe756f6c6173',
        ),
        of('Content-Type: text/plain; charset=utf-16le', '5a00fc00'),
      ),
    );
    for (const word of ['Привет', 'мир океан', 'Łódź', 'Ąžuolas', 'Zü']) expect(text).toContain(word);
  });

  test('down to a depth', async () => {
    let bytes = mail(part('innermost.txt', Buffer.from('innermost')));
    for (let depth = 0; depth < 5; depth += 1) bytes = mail(part(`level${depth}.eml`, bytes));
    const text = await textOfMail(bytes);
    expect(text).toContain('level4.eml');
    expect(text).not.toContain('innermost');
  });
});
