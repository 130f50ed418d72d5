import { type Range, utils, write } from '@e965/xlsx';
import { describe, expect, test } from '@jest/globals';
import { degrees, PDFDocument } from 'pdf-lib';
import sharp from 'sharp';
import { atId } from '../../support/documents.ts';
import { tarOf, zipOf } from '../../support/made-files.ts';
import { useServer } from '../../support/server.ts';
import { createBinary } from '../blobs/blob-requests.ts';

const server = useServer();

const create = async (content: Uint8Array | string, mimeType: string, name = 'file') =>
  atId((await createBinary(server, Buffer.from(content), { name, mimeType })).uid);

/** The HTML inside the frame of a preview. */
async function shown(at: string, headers: Record<string, string> = {}): Promise<string> {
  const { text } = await server.request.get(`${at}/@preview`).set(headers).expect(200);
  const [, inside] = /<iframe sandbox title="preview" srcdoc="([^"]*)"><\/iframe>/.exec(text) ?? [];
  const plain = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };
  return (inside ?? '').replaceAll(/&(lt|gt|quot|#39|amp);/g, (sign) => plain[sign as keyof typeof plain]);
}

const officeType = (kind: string) => `application/vnd.openxmlformats-officedocument.${kind}`;

describe('@preview of a file whose content has a form of its own', () => {
  test('shows CSV with any separator as a table, in which nothing is markup', async () => {
    const at = await create('name;price\n"<b>; ""x""";3,50\nshort\n', 'text/csv');
    const html = await shown(at);
    expect(html).toContain('<th scope="col">A</th><th scope="col">B</th>');
    expect(html).toContain(
      '<th scope="row">2</th><td>&lt;b&gt;; &quot;x&quot;</td><td class="number">3,50</td>',
    );
    expect(html).toContain('<td>short</td><td></td>');
    expect(await shown(await create('a\tb\n1\t2\n', 'text/tab-separated-values'))).toContain(
      '<td class="number">1</td><td class="number">2</td>',
    );
  });

  test('shows the first thousand rows of a long table', async () => {
    const rows = Array.from({ length: 1_200 }, (_, index) => `row ${index + 1},x`).join('\n');
    const html = await shown(await create(rows, 'text/csv'));
    expect(html).toContain('row 1000<');
    expect(html).not.toContain('row 1001');
    expect(html).toContain('<p>…</p>');
  });

  test('shows the sheets of a workbook with displayed values and merged cells', async () => {
    const book = utils.book_new();
    const prices = utils.aoa_to_sheet([
      ['Prices', null],
      ['apple', { t: 'n', v: 0.5, z: '0.00' }],
    ]);
    prices['!merges'] = [{ s: { r: 0, c: 0 }, e: { r: 0, c: 1 } } satisfies Range];
    utils.book_append_sheet(book, prices, 'Fruit & more');
    utils.book_append_sheet(book, utils.aoa_to_sheet([['second']]), 'Other');
    for (const [bookType, type] of [
      ['xlsx', officeType('spreadsheetml.sheet')],
      ['biff8', 'application/vnd.ms-excel'],
    ] as const) {
      const html = await shown(await create(write(book, { type: 'buffer', bookType }), type));
      expect(html).toContain('<a href="#sheet1">Other</a>');
      expect(html).toContain('<h2 id="sheet0">Fruit &amp; more</h2>');
      expect(html).toContain('<td colspan="2">Prices</td></tr>');
      expect(html).toContain('<td class="number">0.50</td>');
      expect(html).toContain('second');
    }
  });

  test('shows a Word file approximately, and says so in the language of the reader', async () => {
    const picture = await sharp({ create: { width: 2_000, height: 10, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const run = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`;
    const drawing =
      '<w:r><w:drawing><wp:inline><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:embed="p"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>';
    const office = 'http://schemas.openxmlformats.org';
    const names = {
      w: `${office}/wordprocessingml/2006/main`,
      r: `${office}/officeDocument/2006/relationships`,
      a: `${office}/drawingml/2006/main`,
      wp: `${office}/drawingml/2006/wordprocessingDrawing`,
      pic: `${office}/drawingml/2006/picture`,
    };
    const declared = Object.entries(names).map(([prefix, name]) => `xmlns:${prefix}="${name}"`);
    const body = `<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr>${run('Agenda')}</w:p><w:p>${run('&lt;script&gt;')}${drawing}</w:p>`;
    const related = (name: string, target: string, id: string) =>
      `<Relationship Id="${id}" Type="${names.r}/${name}" Target="${target}"/>`;
    const relations = (inside: string) =>
      `<Relationships xmlns="${office}/package/2006/relationships">${inside}</Relationships>`;
    const file = await zipOf({
      '[Content_Types].xml': `<Types xmlns="${office}/package/2006/content-types"><Default Extension="png" ContentType="image/png"/></Types>`,
      '_rels/.rels': relations(related('officeDocument', 'word/document.xml', 'd')),
      'word/document.xml': `<w:document ${declared.join(' ')}><w:body>${body}</w:body></w:document>`,
      'word/_rels/document.xml.rels': relations(related('image', 'media/a.png', 'p')),
      'word/media/a.png': picture,
    });
    const at = await create(file, officeType('wordprocessingml.document'));
    const html = await shown(at);
    expect(html).toContain('<h1>Agenda</h1>');
    expect(html).toContain('&lt;script&gt;');
    expect(html).toMatch(/<img src="data:image\/webp;base64,[^"]{20}/);
    for (const [language, says] of [
      ['en', 'Approximate view'],
      ['fr', 'Aperçu approximatif'],
    ]) {
      const { text } = await server.request.get(`${at}/@preview`).set('Accept-Language', language ?? '');
      expect(text).toContain(`<p role="note">${says}`);
    }
  });

  test('shows a mail with its headers, pictures and attachments', async () => {
    const part = (headers: string, body: string) => `--x\r\n${headers}\r\n\r\n${body}\r\n`;
    const mail = [
      'From: Ann <ann@example.org>\r\nTo: Bob <bob@example.org>\r\nSubject: <i>Plans</i>\r\nMIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=x\r\n',
      part('Content-Type: text/html', '<p>Hello <img src="cid:logo"></p><script>alert(1)</script>'),
      part('Content-Type: image/png\r\nContent-ID: <logo>\r\nContent-Transfer-Encoding: base64', 'iVBORw0K'),
      part(
        'Content-Type: text/plain\r\nContent-Disposition: attachment; filename="a<b.txt"',
        'x'.repeat(1_500),
      ),
      '--x--\r\n',
    ].join('\r\n');
    const html = await shown(await create(mail, 'message/rfc822'));
    expect(html).toContain('<h1>&lt;i&gt;Plans&lt;/i&gt;</h1>');
    expect(html).toContain('<dt>From</dt><dd>Ann &lt;ann@example.org&gt;</dd>');
    expect(html).toContain('<img src="data:image/png;base64,iVBORw0K">');
    expect(html).toMatch(/<li>a&lt;b\.txt \(1\.5 kB\)<\/li>/);
    // The converted mail contains its markup, so it must not run in the origin of the server either.
    const at = await create(mail, 'message/rfc822');
    const { headers } = await server.request.get(`${at}/@convert?type=text/html&inline=true`).expect(200);
    expect(headers['content-security-policy']).toMatch(/^sandbox; default-src 'none'/);
  });

  test('lists the files of archives with their sizes, without unpacking them', async () => {
    const files = { 'folder/<b>.txt': 'x'.repeat(2_000), 'a.txt': 'one' };
    for (const [bytes, type] of [
      [await zipOf(files), 'application/zip'],
      [await tarOf(files), 'application/x-tar'],
    ] as const) {
      const html = await shown(await create(bytes, type));
      expect(html).toContain('<td>📄 a.txt</td><td>3 B</td>');
      expect(html).toContain('<td>📄 folder/&lt;b&gt;.txt</td><td>2.0 kB</td>');
    }
  });

  test('shows source code with line numbers and colors, in which nothing is markup', async () => {
    const html = await shown(await create('{\n  "a": "<b>"\n}\n', 'application/json'));
    expect(html).toContain('<pre aria-hidden="true">1\n2\n3</pre>');
    expect(html).toContain('<span class="hljs-string">&quot;&lt;b&gt;&quot;</span>');
  });
});

describe('the layout of a PDF', () => {
  const layoutOf = async (at: string) =>
    (await server.request.get(`${at}/@convert?converter=any2layout`).expect(200)).body.pages;

  test('has the sizes of the pages and the places of their lines, from the upper left', async () => {
    const document = await PDFDocument.create();
    const page = document.addPage([300, 200]);
    page.drawText('Pelican in the park', { x: 50, y: 150, size: 20 });
    page.drawText('second line', { x: 50, y: 100, size: 10 });
    document.addPage([200, 300]).drawText('turned', { x: 50, y: 50, size: 10 });
    document.getPage(1).setRotation(degrees(90));
    const pages = await layoutOf(await create(await document.save(), 'application/pdf'));
    expect(pages.map(({ width, height }: Record<string, number>) => [width, height])).toEqual([
      [300, 200],
      [300, 200],
    ]);
    const [[first, second], [turned]] = pages.map(({ lines }: { lines: unknown[][] }) => lines);
    expect(first[4]).toBe('Pelican in the park');
    expect([first[0], first[1] + first[3]].map(Math.round)).toEqual([
      expect.closeTo(50, -1),
      expect.closeTo(54, -1),
    ]);
    expect(first[3]).toBeGreaterThan(15);
    expect(first[2]).toBeGreaterThan(120);
    expect([second[4], second[1] > first[1] + first[3]]).toEqual(['second line', true]);
    expect(turned[4]).toBe('turned');
    expect(turned[0]).toBeGreaterThan(0);
  });

  test('is null for files without pages; hasPages tells which files have them', async () => {
    const query = '{ documents(ids: $ids) { contextParameters { preview { hasPages } } } }';
    const document = await PDFDocument.create();
    document.addPage();
    const at = [
      await create(await document.save(), 'application/pdf'),
      await create('text', 'text/plain'),
      await create('a,b', 'text/csv'),
    ];
    const ids = at.map((each) => each.split('/').at(-1));
    const { body } = await server.request
      .post('/graphql')
      .send({ query: `query ($ids: [ID!]!) ${query}`, variables: { ids } })
      .expect(200);
    expect(
      body.data.documents.map(
        (each: { contextParameters: { preview: object } }) => each.contextParameters.preview,
      ),
    ).toEqual([{ hasPages: true }, { hasPages: false }, { hasPages: false }]);
    await server.request.get(`${at[1]}/@convert?converter=any2layout`).expect(400);
  });
});
