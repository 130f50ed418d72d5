/** @group slow */
import { describe, expect, test } from '@jest/globals';
import { atId, createDocument } from '../../support/documents.ts';
import { programs } from '../../support/programs.ts';
import { asBytes } from '../../support/requests.ts';
import { startServer, useServer } from '../../support/server.ts';
import { createBinary } from '../blobs/blob-requests.ts';

const server = useServer();

const converted = (uid: string, query: string, request = server.request) =>
  asBytes(request.get(`${atId(uid)}/@convert?${query}`));

/** The words of the PDF that a file becomes, and how many pages it has. */
async function pdfOf(content: string | Buffer, mimeType: string): Promise<{ text: string; pages: number }> {
  const { uid } = await createBinary(server, Buffer.from(content as string), { mimeType });
  const { body } = await converted(uid, 'converter=any2pdf')
    .expect(200)
    .expect('Content-Type', 'application/pdf');
  const pdf = await createBinary(server, body as Buffer, { mimeType: 'application/pdf' });
  const text = await server.request.get(`${atId(pdf.uid)}/@convert?converter=pdf2text`).expect(200);
  const info = await server.request.get(`${atId(pdf.uid)}/@convert?converter=pdf2info`).expect(200);
  return { text: text.text, pages: info.body.pages };
}

const linesOf = (text: string) => text.split(/\r?\n/);

describe('§10 PDFs of texts, without LibreOffice', () => {
  test.each<[string, string | Buffer, string, string]>([
    ['plain text', 'Łódź, Ελλάδα, Привет € → ½', 'text/plain', 'Łódź, Ελλάδα, Привет € → ½'],
    ['text in UTF-16', Buffer.from('Grüße 1', 'utf16le'), 'text/plain', 'Grüße 1'],
    ['HTML', '<h1>Title</h1><script>no()</script><p>one &amp; two</p>', 'text/html', 'Title one & two'],
    ['Markdown', '# Title\n\n*one*', 'text/markdown', 'Title one'],
    ['XML', '<a>\n  <b>one</b>\n</a>', 'application/xml', '<a> <b>one</b> </a>'],
    ['a table', 'name;sum\n"Ada; B";1\n', 'text/csv', 'name | sum Ada; B | 1'],
  ])('have the words of %s', async (_, content, mimeType, words) => {
    const { text, pages } = await pdfOf(content, mimeType);
    expect(text.trim().replace(/\s+/g, ' ')).toBe(words);
    expect(pages).toBe(1);
  });

  test('break long lines between words, and go on on the next page', async () => {
    const { text } = await pdfOf(`${'word '.repeat(40)}\n${'x'.repeat(100)}`, 'text/plain');
    const lines = linesOf(text);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(90);
    expect(lines.filter((line) => /^(word ?)+$/.test(line)).length).toBeGreaterThan(1);
    expect((await pdfOf('line\n'.repeat(200), 'text/plain')).pages).toBe(4);
  });

  test('end after 500 pages, and say so', async () => {
    const { uid } = await createBinary(server, Buffer.from('l\n'.repeat(100_000)), {
      mimeType: 'text/plain',
    });
    const { body } = await converted(uid, 'type=application/pdf').expect(200);
    const pdf = await createBinary(server, body as Buffer, { mimeType: 'application/pdf' });
    const info = await server.request.get(`${atId(pdf.uid)}/@convert?converter=pdf2info`).expect(200);
    expect(info.body).toEqual({ pages: 500 });
    const last = await converted(pdf.uid, 'converter=pdf2pages&firstPage=500').expect(200);
    const page = await createBinary(server, last.body as Buffer, { mimeType: 'application/pdf' });
    const { text } = await server.request.get(`${atId(page.uid)}/@convert?converter=pdf2text`).expect(200);
    expect(text).toContain('The PDF ends after 500 pages.');
  });

  test.each([
    ['東京', '"東" (U+6771)'],
    ['سلام', '"س" (U+0633)'],
    ['ไทย', '"ไ" (U+0E44)'],
  ])('answer 501 for %s, which is not remembered as a fault of the file', async (content, letter) => {
    const { uid } = await createBinary(server, Buffer.from(content), { mimeType: 'text/plain' });
    for (let count = 0; count < 4; count += 1) {
      const { body } = await server.request.get(`${atId(uid)}/@convert?type=application/pdf`).expect(501);
      expect(body.message).toBe(
        `The server's font cannot draw ${letter}. LibreOffice can, but it is not installed on this server.`,
      );
    }
  });

  test('have a box for a sign that the font lacks', async () => {
    expect((await pdfOf('ok 😀', 'text/plain')).text).toContain('ok □');
  });

  test('have at most 30 combining marks in a row', async () => {
    const { text } = await pdfOf(`a${'\u0323\u0301'.repeat(100_000)} end`, 'text/plain');
    expect(text).toMatch(/^\s*\S{1,40} end\s*$/);
  });

  test('are made of the text of a note', async () => {
    const { uid } = await createDocument(server, { type: 'Note', properties: { 'note:note': 'noted' } });
    const { body } = await converted(uid, 'type=application/pdf').expect(200);
    expect((body as Buffer).subarray(0, 5).toString()).toBe('%PDF-');
  });
});

/** Writes what it was given into the PDF that it makes. */
const soffice = `
while [ $# -gt 1 ]; do
  case "$1" in --outdir) out=$2;; --infilter=*) filter=$1;; esac
  shift
done
mkdir -p "$out"
{ printf '%%PDF-1.4 %s %s ' "$filter" "\${1##*.}"; cat "$1"; } > "$out/source.pdf"`;

test('§10 LibreOffice makes the PDFs of texts where it is installed, in any script', async () => {
  await using office = await startServer({ CONVERTER_FOLDERS: await programs({ soffice }) });
  const made = async (content: string | Buffer, mimeType: string) => {
    const { uid } = await createBinary(office, Buffer.from(content as string), { mimeType });
    const { body } = await converted(uid, 'converter=any2pdf', office.request).expect(200);
    return (body as Buffer).toString();
  };
  expect(await made(Buffer.from('東京 1', 'utf16le'), 'text/plain')).toBe(
    '%PDF-1.4 --infilter=Text (encoded):UTF8,LF,,, txt \uFEFF東京 1',
  );
  expect(await made('<p>1</p>', 'text/html')).toContain('html \uFEFF<p>1</p>');
  expect(await made('a,b', 'text/csv')).toContain('csv \uFEFFa,b');
});

describe('§10 office2html', () => {
  test.each([
    ['text/plain', 'a<b', '<pre>a&lt;b</pre>'],
    ['text/csv', 'a,b', '<tr><th scope="row">1</th><td>a</td><td>b</td></tr>'],
    ['application/xml', '<a/>', '<span class="hljs-name">a</span>'],
    ['text/html', '<p>one</p>', '<p>one</p>'],
  ])('makes HTML of %s', async (mimeType, content, html) => {
    const { uid } = await createBinary(server, Buffer.from(content), { mimeType });
    const { text } = await server.request.get(`${atId(uid)}/@convert?converter=office2html`).expect(200);
    expect(text).toContain(html);
  });

  test('needs LibreOffice for RTF and office files, and says so', async () => {
    const { uid } = await createBinary(server, Buffer.from('{\\rtf1 x}'), { mimeType: 'application/rtf' });
    const { body } = await server.request.get(`${atId(uid)}/@convert?converter=office2html`).expect(501);
    expect(body.message).toBe(
      'Converter office2html is not available: it needs LibreOffice, which is not installed on this server.',
    );
  });
});
