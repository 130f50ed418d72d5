import { once } from 'node:events';
import ZipStream from 'zip-stream';

/** A zip archive of text files, by their names. */
export async function zipOf(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const archive = new ZipStream({ level: 9 });
  const pieces: Buffer[] = [];
  archive.on('data', (piece: Buffer) => pieces.push(piece));
  for (const [name, text] of Object.entries(files))
    await new Promise<void>((resolve, reject) => {
      archive.entry(text, { name }, (error) => (error ? reject(error) : resolve()));
    });
  archive.finish();
  await once(archive, 'end');
  return Buffer.concat(pieces);
}

/** A PDF of one page with a line of red text. */
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

const openXml = 'application/vnd.openxmlformats-officedocument';
const openDocument = 'application/vnd.oasis.opendocument';

const declared = (uri: string, body: string) =>
  `<?xml version="1.0"?><r xmlns:w="u:${uri}" xmlns:a="u:a" xmlns:text="u:t">${body}</r>`;

/** The kinds of files whose text is searched: the media type, and a function that makes a file with a text. */
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
};
