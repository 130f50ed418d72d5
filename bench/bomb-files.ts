import { once } from 'node:events';
import { crc32, createDeflate, deflateSync, gzipSync } from 'node:zlib';
import ZipStream from 'zip-stream';

/** A small file that is expensive to process, or a damaged file. */
export interface Bomb {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};

/** Compresses a run of identical bytes without holding all of them in memory. */
async function deflated(count: number, byte = 0): Promise<Buffer> {
  const deflate = createDeflate({ level: 9 });
  const pieces: Buffer[] = [];
  deflate.on('data', (piece: Buffer) => pieces.push(piece));
  const block = Buffer.alloc(1_000_000, byte);
  for (let left = count; left > 0; left -= block.length)
    if (!deflate.write(left < block.length ? block.subarray(0, left) : block)) await once(deflate, 'drain');
  deflate.end();
  await once(deflate, 'end');
  return Buffer.concat(pieces);
}

/** Creates a black-and-white image whose 900 million pixels take up only 110 kB. */
async function pixelBomb(side: number): Promise<Buffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.writeUInt8(1, 8); // One bit per pixel, grayscale, default compression and filter, not interlaced.
  const pixels = await deflated(side * (Math.ceil(side / 8) + 1));
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

async function zip(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
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

const pdf = (objects: ReadonlyArray<string | Buffer>): Buffer => {
  const parts = objects.flatMap((object, index) => [
    Buffer.from(`${index + 1} 0 obj\n`),
    Buffer.isBuffer(object) ? object : Buffer.from(object, 'latin1'),
    Buffer.from('\nendobj\n'),
  ]);
  const tail = `trailer\n<< /Root 1 0 R /Size ${objects.length + 1} >>\n%%EOF\n`;
  return Buffer.concat([Buffer.from('%PDF-1.4\n'), ...parts, Buffer.from(tail)]);
};

const stream = (dictionary: string, data: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`<< ${dictionary} /Length ${data.length} >>\nstream\n`, 'latin1'),
    data,
    Buffer.from('\nendstream'),
  ]);

const onePage = (page: string): string[] => [
  '<< /Type /Catalog /Pages 2 0 R >>',
  '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] ${page} >>`,
];

/**
 * Creates a PDF of nested forms. Each form draws the next one many times, so the number of drawing operations grows
 * exponentially.
 */
function nestedForms(depth: number, times: number): Buffer {
  const forms = Array.from({ length: depth }, (_, level) => {
    const isLast = level === depth - 1;
    const content = isLast ? '0 0 100 100 re f' : '/X Do '.repeat(times);
    const next = isLast ? '' : `/Resources << /XObject << /X ${level + 5} 0 R >> >>`;
    return stream(`/Type /XObject /Subtype /Form /BBox [0 0 600 700] ${next}`, Buffer.from(content));
  });
  const page = onePage('/Contents 5 0 R /Resources << /XObject << /X 4 0 R >> >>');
  return pdf([
    ...page.slice(0, 2),
    page[2]?.replace('/Contents 5 0 R', `/Contents ${4 + depth} 0 R`) ?? '',
    ...forms,
    stream('', Buffer.from('/X Do')),
  ]);
}

const entities = (open: string, close: string): string => {
  const declared = Array.from(
    { length: 30 },
    (_, index) => `<!ENTITY e${index + 1} "&e${index};&e${index};">`,
  );
  return `<?xml version="1.0"?><!DOCTYPE r [<!ENTITY e0 "boom">${declared.join('')}]>${open}&e30;${close}`;
};

const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const odt = 'application/vnd.oasis.opendocument.text';

const packagePart =
  '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>';
const relations =
  '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>';
const word = (body: string) =>
  zip({ '[Content_Types].xml': packagePart, '_rels/.rels': relations, 'word/document.xml': body });
const wordNamespace = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';

const svgUses = Array.from(
  { length: 12 },
  (_, level) => `<g id="g${level + 1}">${`<use href="#g${level}"/>`.repeat(10)}</g>`,
).join('');

/** Creates all files. Most are a few kilobytes in size; none is larger than a megabyte. */
export async function bombs(): Promise<Bomb[]> {
  const gigabyte = 1_000_000_000;
  const page = onePage('/Contents 4 0 R');
  const picture = onePage('/Contents 5 0 R /Resources << /XObject << /I 4 0 R >> >>');
  const bomb = (name: string, type: string, bytes: Buffer | string): Bomb => ({
    name,
    type,
    bytes: Buffer.from(bytes),
  });
  return [
    bomb('PNG of 30,000 × 30,000 pixels', 'image/png', await pixelBomb(30_000)),
    bomb('PNG of 9,900 × 9,900 pixels', 'image/png', await pixelBomb(9_900)),
    bomb(
      'SVG with 10^12 elements',
      'image/svg+xml',
      `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><rect id="g0" width="9" height="9"/>${svgUses}<use href="#g12"/></svg>`,
    ),
    bomb(
      'SVG of 10^6 × 10^6 pixels',
      'image/svg+xml',
      '<svg xmlns="http://www.w3.org/2000/svg" width="1000000" height="1000000"><rect width="9" height="9"/></svg>',
    ),
    bomb(
      'SVG with entities',
      'image/svg+xml',
      entities('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>', '</text></svg>'),
    ),
    bomb(
      'DOCX that unpacks to 1 GB',
      docx,
      await zip({
        'word/document.xml': ' '.repeat(500_000_000),
        'word/footnotes.xml': ' '.repeat(500_000_000),
      }),
    ),
    bomb(
      'DOCX with entities',
      docx,
      await word(
        entities(
          `<w:document ${wordNamespace}><w:body><w:p><w:r><w:t>`,
          '</w:t></w:r></w:p></w:body></w:document>',
        ),
      ),
    ),
    bomb(
      'DOCX with 5 million elements',
      docx,
      await word(`<w:document ${wordNamespace}><w:body>${'<w:p/>'.repeat(5_000_000)}</w:body></w:document>`),
    ),
    bomb(
      'DOCX nested 100,000 levels deep',
      docx,
      await word(`<w:document ${wordNamespace}><w:body>${'<w:tbl><w:tr><w:tc>'.repeat(33_000)}`),
    ),
    bomb(
      'XLSX that unpacks to 99 MB',
      xlsx,
      await zip({ 'xl/sharedStrings.xml': `<sst>${'<si><t>a</t></si>'.repeat(5_800_000)}</sst>` }),
    ),
    bomb(
      'ODT with 10,001 files',
      odt,
      await zip(Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`f${index}`, '']))),
    ),
    bomb(
      'PDF with a stream of 1 GB',
      'application/pdf',
      pdf([...page, stream('/Filter /FlateDecode', await deflated(gigabyte, 32))]),
    ),
    bomb(
      'PDF with a stream compressed twice',
      'application/pdf',
      pdf([
        ...page,
        stream('/Filter [/FlateDecode /FlateDecode]', deflateSync(await deflated(gigabyte, 32))),
      ]),
    ),
    bomb('PDF that draws 10^10 forms', 'application/pdf', nestedForms(11, 10)),
    bomb(
      'PDF with an image of 30,000 × 30,000 pixels',
      'application/pdf',
      pdf([
        ...picture,
        stream(
          '/Type /XObject /Subtype /Image /Width 30000 /Height 30000 /BitsPerComponent 8 /ColorSpace /DeviceRGB /Filter /FlateDecode',
          await deflated(2.7 * gigabyte),
        ),
        stream('', Buffer.from('600 0 0 700 0 0 cm /I Do')),
      ]),
    ),
    bomb(
      'PDF with 10^9 pages',
      'application/pdf',
      pdf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 1000000000 >>']),
    ),
    bomb(
      'PDF with a page of 10^7 × 1 points',
      'application/pdf',
      pdf([...page.slice(0, 2), '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 10000000 1] >>']),
    ),
    bomb('XML with entities', 'application/xml', entities('<r>', '</r>')),
    bomb('HTML nested 200,000 levels deep', 'text/html', '<div>'.repeat(200_000)),
    bomb('HTML with one unclosed tag', 'text/html', `<a ${'b="c" '.repeat(500_000)}`),
    bomb('Markdown with 500,000 brackets', 'text/markdown', '['.repeat(500_000)),
    bomb('Markdown with nested quotes', 'text/markdown', `${'>'.repeat(5_000)} a\n`.repeat(50)),
    bomb('Markdown with nested emphasis', 'text/markdown', '*a **b '.repeat(50_000)),
    bomb('RTF with a million groups', 'application/rtf', `{\\rtf1 ${'{'.repeat(1_000_000)}`),
    bomb(
      'email with 20,000 nested parts',
      'message/rfc822',
      Array.from(
        { length: 20_000 },
        (_, index) => `Content-Type: multipart/mixed; boundary=b${index}\r\n\r\n--b${index}\r\n`,
      ).join(''),
    ),
    bomb('gzipped zeros declared as a video', 'video/mp4', gzipSync(Buffer.alloc(50_000_000))),
    bomb(
      'playlist declared as a video',
      'video/mp4',
      '#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n',
    ),
  ];
}

/**
 * Creates damaged versions of a file: its first half, and the whole file with some bytes changed. The result is
 * deterministic.
 */
export function damaged(name: string, type: string, bytes: Buffer): Bomb[] {
  const changed = Buffer.from(bytes);
  for (let at = 40; at < changed.length; at += 97) changed[at] = (changed[at] ?? 0) ^ 0x55;
  return [
    { name: `first half of ${name}`, type, bytes: bytes.subarray(0, bytes.length / 2) },
    { name: `changed ${name}`, type, bytes: changed },
  ];
}
