import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { PDFDocument } from 'pdf-lib';
import sharp, { type Sharp } from 'sharp';
import { pdfOf, kinds as textKinds, zipOf } from './made-files.ts';

/** A kind of file: its media type, and an example. */
export interface FileKind {
  readonly type: string;
  readonly of: () => Buffer | Promise<Buffer>;
}

const fixtures = new URL('../fixtures/', import.meta.url);

const fixture = (name: string, type: string): FileKind => ({
  type,
  of: async () => {
    const bytes = await readFile(new URL(name, fixtures));
    return name.endsWith('.gz') ? gunzipSync(bytes) : bytes;
  },
});

/** An image whose left half is red. */
const pixels = (): Sharp =>
  sharp({ create: { width: 600, height: 400, channels: 3, background: '#1f5fa8' } }).composite([
    { input: { create: { width: 300, height: 400, channels: 3, background: '#c02020' } }, left: 0, top: 0 },
  ]);

const picture = (format: 'png' | 'webp' | 'gif' | 'tiff' | 'avif'): FileKind => ({
  type: `image/${format}`,
  of: () => pixels().toFormat(format).toBuffer(),
});

async function pdf17(): Promise<Buffer> {
  const document = await PDFDocument.create();
  document.addPage([300, 200]).drawText('Pelican', { x: 50, y: 100 });
  return Buffer.from(await document.save());
}

async function scannedPdf(): Promise<Buffer> {
  const document = await PDFDocument.create();
  const scan = await document.embedPng(await readFile(new URL('words.png', fixtures)));
  document.addPage([scan.width, scan.height]).drawImage(scan);
  return Buffer.from(await document.save());
}

const wav = (): Buffer => {
  const header = Buffer.alloc(44 + 8_000);
  header.write('RIFF', 0);
  header.writeUInt32LE(header.length - 8, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(8_000, 24);
  header.writeUInt32LE(8_000, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36);
  header.writeUInt32LE(8_000, 40);
  return header;
};

const text = (name: string): FileKind => {
  const { type = '', of = () => Buffer.alloc(0) } = textKinds[name] ?? {};
  return { type, of: () => of('pelican') };
};

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"><rect width="400" height="300" fill="red"/></svg>';
const openXml = 'application/vnd.openxmlformats-officedocument';
const openDocument = 'application/vnd.oasis.opendocument';

/** Kinds of files by their names in docs/renditions.md. Those with text contain the word pelican. */
export const fileKinds: Readonly<Record<string, FileKind>> = {
  PNG: picture('png'),
  'JPEG with EXIF': {
    type: 'image/jpeg',
    of: () =>
      pixels()
        .withExif({ IFD0: { Orientation: '6', Make: 'Camera' } })
        .jpeg()
        .toBuffer(),
  },
  'JPEG in CMYK': { type: 'image/jpeg', of: () => pixels().toColourspace('cmyk').jpeg().toBuffer() },
  WebP: picture('webp'),
  GIF: picture('gif'),
  TIFF: picture('tiff'),
  AVIF: picture('avif'),
  SVG: { type: 'image/svg+xml', of: () => Buffer.from(svg) },
  HEIC: fixture('picture.heic', 'image/heic'),
  'a picture with words': fixture('words.png', 'image/png'),
  'PDF 1.4': { type: 'application/pdf', of: () => pdfOf('pelican') },
  'PDF 1.7': { type: 'application/pdf', of: pdf17 },
  'PDF 2.0': {
    type: 'application/pdf',
    of: () => Buffer.from(pdfOf('pelican').toString('latin1').replace('PDF-1.4', 'PDF-2.0'), 'latin1'),
  },
  'scanned PDF': { type: 'application/pdf', of: scannedPdf },
  'encrypted PDF': fixture('encrypted.pdf', 'application/pdf'),
  DOCX: fixture('text.docx', `${openXml}.wordprocessingml.document`),
  XLSX: fixture('sheet.xlsx', `${openXml}.spreadsheetml.sheet`),
  PPTX: fixture('slides.pptx', `${openXml}.presentationml.presentation`),
  ODT: fixture('text.odt', `${openDocument}.text`),
  ODS: fixture('sheet.ods', `${openDocument}.spreadsheet`),
  ODP: fixture('slides.odp', `${openDocument}.presentation`),
  DOC: fixture('text.doc', 'application/msword'),
  XLS: fixture('sheet.xls', 'application/vnd.ms-excel'),
  PPT: fixture('slides.ppt.gz', 'application/vnd.ms-powerpoint'),
  RTF: fixture('text.rtf', 'application/rtf'),
  HTML: text('HTML'),
  Markdown: text('Markdown'),
  CSV: text('CSV'),
  JSON: text('JSON'),
  XML: text('XML'),
  'plain text': text('plain text'),
  'text in UTF-16': text('UTF-16'),
  mail: text('mail'),
  MP4: fixture('film.mp4', 'video/mp4'),
  WebM: fixture('film.webm', 'video/webm'),
  MP3: fixture('sound.mp3', 'audio/mpeg'),
  WAV: { type: 'audio/wav', of: wav },
  ZIP: { type: 'application/zip', of: () => zipOf({ 'a.txt': 'pelican' }) },
  'an empty file': { type: 'text/plain', of: () => Buffer.alloc(0) },
  'an empty PDF': { type: 'application/pdf', of: () => Buffer.alloc(0) },
  'unknown bytes': { type: 'application/octet-stream', of: () => Buffer.from([0, 1, 2, 255, 254]) },
};
