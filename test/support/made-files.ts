import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { utils, write } from '@e965/xlsx';
import { burn } from '@kenjiuno/msgreader/lib/Burner.js';
import { pack } from 'tar-stream';
import ZipStream from 'zip-stream';

/** Creates a tar archive of the given files. */
export async function tarOf(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const archive = pack();
  for (const [name, content] of Object.entries(files)) archive.entry({ name }, content);
  archive.finalize();
  return buffer(archive);
}

/** Creates a zip archive of the given files. */
export async function zipOf(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const archive = new ZipStream({ level: 9 });
  const pieces: Buffer[] = [];
  archive.on('data', (piece: Buffer) => pieces.push(piece));
  for (const [name, content] of Object.entries(files))
    await new Promise<void>((resolve, reject) => {
      archive.entry(content, { name }, (error) => (error ? reject(error) : resolve()));
    });
  archive.finish();
  await once(archive, 'end');
  return Buffer.concat(pieces);
}

/** Creates a PDF with one page that contains a line of red text. */
export function pdfOf(text: string): Buffer {
  const content = `1 0 0 rg BT /F1 24 Tf 72 700 Td (${text}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('');
  return Buffer.from(`%PDF-1.4\n${body}trailer\n<< /Root 1 0 R /Size 6 >>\n%%EOF\n`, 'latin1');
}

/** Creates a workbook with a cell that contains the text. */
const bookOf = (text: string, bookType: 'biff8' | 'biff5' | 'xlsb'): Buffer => {
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet([['other', text]]), 'Sheet');
  return write(book, { type: 'buffer', bookType });
};

/**
 * Creates a compound file with the given streams in the root folder. The bytes are copied, because the library ignores
 * the offset of views into a larger buffer.
 */
export const compoundOf = (streams: Readonly<Record<string, Buffer>>): Buffer => {
  const names = Object.entries(streams);
  return Buffer.from(
    burn([
      { name: 'Root Entry', type: 5, length: 0, children: names.map((_, index) => index + 1) },
      ...names.map(([name, bytes]) => ({
        name,
        type: 2,
        length: bytes.length,
        binaryProvider: () => Uint8Array.from(bytes),
      })),
    ]),
  );
};

/** Creates an email in Outlook's message format. */
const messageOf = (text: string): Buffer =>
  compoundOf({
    '__properties_version1.0': Buffer.alloc(32),
    '__substg1.0_0037001F': Buffer.from('Subject', 'utf16le'),
    '__substg1.0_1000001F': Buffer.from(text, 'utf16le'),
  });

/** Creates an e-book with one page. */
const bookWithPage = (text: string): Promise<Buffer> =>
  zipOf({
    mimetype: 'application/epub+zip',
    'OEBPS/page.xhtml': `<html xmlns="http://www.w3.org/1999/xhtml"><body><p>${text}</p></body></html>`,
  });

const openXml = 'application/vnd.openxmlformats-officedocument';
const openDocument = 'application/vnd.oasis.opendocument';

const declared = (uri: string, body: string) =>
  `<?xml version="1.0"?><r xmlns:w="u:${uri}" xmlns:a="u:a" xmlns:text="u:t">${body}</r>`;

/**
 * The kinds of files whose text is searchable. Each has a media type and a function that creates a file with the given
 * text.
 */
export const kinds: Readonly<
  Record<string, { type: string; of: (text: string) => Buffer | Promise<Buffer> }>
> = {
  'plain text': { type: 'text/plain', of: (text) => Buffer.from(text) },
  'UTF-16': { type: 'text/plain', of: (text) => Buffer.from(`\ufeff${text}`, 'utf16le') },
  CSV: { type: 'text/csv', of: (text) => Buffer.from(`a;${text};c\n`) },
  Markdown: { type: 'text/markdown', of: (text) => Buffer.from(`# ${text}\n`) },
  JSON: { type: 'application/json', of: (text) => Buffer.from(JSON.stringify({ text })) },
  XML: { type: 'application/xml', of: (text) => Buffer.from(`<a>${text}</a>`) },
  HTML: {
    type: 'text/html',
    of: (text) => Buffer.from(`<html><script>var hidden</script><p>${text}</p></html>`),
  },
  PDF: { type: 'application/pdf', of: pdfOf },
  mail: {
    type: 'message/rfc822',
    of: (text) => Buffer.from(`From: A <a@example.org>\r\nSubject: S\r\n\r\n${text}\r\n`),
  },
  DOCX: {
    type: `${openXml}.wordprocessingml.document`,
    of: (text) =>
      zipOf({
        'word/document.xml': declared(
          'w',
          `<w:p><w:t>${text.slice(0, 3)}</w:t><w:t>${text.slice(3)}</w:t></w:p>`,
        ),
      }),
  },
  XLSX: {
    type: `${openXml}.spreadsheetml.sheet`,
    of: (text) =>
      zipOf({ 'xl/sharedStrings.xml': declared('s', `<si><t>${text}</t></si><si><t>other</t></si>`) }),
  },
  PPTX: {
    type: `${openXml}.presentationml.presentation`,
    of: (text) => zipOf({ 'ppt/slides/slide1.xml': declared('p', `<a:p><a:t>${text}</a:t></a:p>`) }),
  },
  ODT: {
    type: `${openDocument}.text`,
    of: (text) => zipOf({ 'content.xml': declared('o', `<text:p>${text}</text:p><text:p>other</text:p>`) }),
  },
  XLS: { type: 'application/vnd.ms-excel', of: (text) => bookOf(text, 'biff8') },
  'XLS of Excel 95': { type: 'application/vnd.ms-excel', of: (text) => bookOf(text, 'biff5') },
  XLSB: {
    type: 'application/vnd.ms-excel.sheet.binary.macroenabled.12',
    of: (text) => bookOf(text, 'xlsb'),
  },
  MSG: { type: 'application/vnd.ms-outlook', of: messageOf },
  EPUB: { type: 'application/epub+zip', of: bookWithPage },
  ZIP: { type: 'application/zip', of: (text) => zipOf({ 'a.txt': text }) },
  TAR: { type: 'application/x-tar', of: (text) => tarOf({ 'a.txt': text }) },
  'names in TAR': { type: 'application/x-tar', of: (text) => tarOf({ [`docs/${text}.bin`]: '\0' }) },
  'compressed TAR': {
    type: 'application/gzip',
    of: async (text) => gzipSync(await tarOf({ 'other.txt': 'other', 'a.txt': text })),
  },
  'compressed text': { type: 'application/gzip', of: (text) => gzipSync(text) },
  MBOX: {
    type: 'application/mbox',
    of: (text) =>
      Buffer.from(
        `From a@example.org Sat Jan  3 01:05:34 1996\nSubject: one\n\nfirst\n\nFrom b@example.org Sat Jan  3 01:05:35 1996\nSubject: two\nContent-Type: text/plain; charset=utf-8\n\n>From here\n${text}\n`,
      ),
  },
};

/** Creates a compound file like the one that Office creates for an encrypted document (MS-OFFCRYPTO §1.3.2). */
export const encryptedDocx = (): Buffer => compoundOf({ EncryptedPackage: Buffer.alloc(500) });

/** Creates an OpenDocument text whose manifest declares that its content is encrypted. */
export const encryptedOdt = (): Promise<Buffer> =>
  zipOf({
    'META-INF/manifest.xml': '<a xmlns:manifest="u"><manifest:encryption-data/></a>',
    'content.xml': Buffer.from([1, 2, 3]),
  });
