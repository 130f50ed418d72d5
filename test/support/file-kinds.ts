import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { PDFDocument } from 'pdf-lib';
import sharp, { type Sharp } from 'sharp';
import { encryptedDocx, encryptedOdt, pdfOf, kinds as textKinds, zipOf } from './made-files.ts';
import { picturedFiles } from './pictured-files.ts';

/** A kind of file, described by a media type and an example file. */
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

/** Creates an image whose left half is red. */
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

/** Creates a BMP file with 24 bits per pixel. The negative height means that the first row is at the top. */
async function bmp(): Promise<Buffer> {
  const { data, info } = await pixels().raw().toBuffer({ resolveWithObject: true });
  const header = Buffer.alloc(54);
  header.write('BM');
  header.writeUInt32LE(header.length + data.length, 2);
  header.writeUInt32LE(header.length, 10);
  header.writeUInt32LE(40, 14);
  header.writeInt32LE(info.width, 18);
  header.writeInt32LE(-info.height, 22);
  header.writeUInt16LE(1, 26);
  header.writeUInt16LE(24, 28);
  for (let at = 0; at < data.length; at += 3) data.subarray(at, at + 3).reverse();
  return Buffer.concat([header, data]);
}

/** Returns the kind of file with the given name, which contains a picture of its contents. */
const pictured = (name: string): FileKind => {
  const { type = '', of = () => Buffer.alloc(0) } = picturedFiles[name] ?? {};
  return { type, of: async () => of(await pixels().jpeg().toBuffer()) };
};

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"><rect width="400" height="300" fill="red"/></svg>';
const openXml = 'application/vnd.openxmlformats-officedocument';
const openDocument = 'application/vnd.oasis.opendocument';

/**
 * The kinds of files, by their names in docs/renditions.md. Files that contain text contain the word "pelican".
 */
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
  BMP: { type: 'image/bmp', of: bmp },
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
  'encrypted DOCX': { type: `${openXml}.wordprocessingml.document`, of: encryptedDocx },
  'encrypted ODT': { type: `${openDocument}.text`, of: encryptedOdt },
  'EPUB with a cover': pictured('a book of EPUB 3'),
  Pages: pictured('a document by Apple Pages'),
  CBZ: pictured('a comic book, whose first page counts'),
  'MP3 with a cover': pictured('an MP3 file'),
  'FLAC with a cover': pictured('a FLAC file'),
  'M4A with a cover': pictured('an MP4 audio file'),
  'Ogg with a cover': pictured('an Ogg file'),
  Photoshop: pictured('a Photoshop file'),
  'damaged PNG': { type: 'image/png', of: () => Buffer.from('damaged') },
  'damaged DOCX': { type: `${openXml}.wordprocessingml.document`, of: () => Buffer.from('PK damaged') },
  XLSX: fixture('sheet.xlsx', `${openXml}.spreadsheetml.sheet`),
  PPTX: fixture('slides.pptx', `${openXml}.presentationml.presentation`),
  ODT: fixture('text.odt', `${openDocument}.text`),
  ODS: fixture('sheet.ods', `${openDocument}.spreadsheet`),
  ODP: fixture('slides.odp', `${openDocument}.presentation`),
  DOC: fixture('text.doc', 'application/msword'),
  XLS: fixture('sheet.xls', 'application/vnd.ms-excel'),
  PPT: fixture('slides.ppt.gz', 'application/vnd.ms-powerpoint'),
  XLSB: text('XLSB'),
  MSG: text('MSG'),
  EPUB: text('EPUB'),
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
