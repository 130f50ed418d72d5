import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { zipOf } from './made-files.ts';

// Test files that contain a picture of their contents, such as the cover of a book.

const sound = await readFile(new URL('../fixtures/sound.mp3', import.meta.url));

/** An image that must not be chosen as the file's picture. */
const other = sharp({ create: { width: 40, height: 40, channels: 3, background: '#20c020' } })
  .jpeg()
  .toBuffer();

/** Encodes an integer as four bytes, most significant byte first. */
export const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

const u32le = (value: number): Buffer => Buffer.from(u32(value)).reverse();

export const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

/** Encodes an integer as four bytes with seven bits each (ID3v2.4 §6.2). */
const syncsafe = (value: number): Buffer =>
  Buffer.from([21, 14, 7, 0].map((shift) => (value >> shift) & 0x7f));

function mp3(image: Buffer): Buffer {
  const body = Buffer.concat([latin1('\0image/jpeg\0\x03\0'), image]);
  const frame = Buffer.concat([latin1('APIC'), syncsafe(body.length), latin1('\0\0'), body]);
  return Buffer.concat([latin1('ID3\x04\0\0'), syncsafe(frame.length), frame, sound]);
}

/** Creates a FLAC block with a picture. Ogg files contain this block in base64 (RFC 9639 §8.8). */
const flacPicture = (image: Buffer): Buffer =>
  Buffer.concat([
    u32(3),
    u32(10),
    latin1('image/jpeg'),
    u32(0),
    u32(700),
    u32(500),
    u32(24),
    u32(0),
    u32(image.length),
    image,
  ]);

function flac(image: Buffer): Buffer {
  const block = flacPicture(image);
  const size = (length: number) => u32(length).subarray(1);
  const streamInfo = Buffer.alloc(34);
  streamInfo.writeUInt16BE(4096, 0);
  streamInfo.writeUInt16BE(4096, 2);
  streamInfo.writeUInt32BE(0x0ac442f0, 10); // 44,100 Hz, two channels, 16 bits
  return Buffer.concat([latin1('fLaC\0'), size(34), streamInfo, latin1('\x86'), size(block.length), block]);
}

const box = (type: string, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([u32(body.length + 8), latin1(type), body]);
};

const m4a = (image: Buffer): Buffer =>
  Buffer.concat([
    box('ftyp', latin1('M4A \0\0\0\0M4A ')),
    box(
      'moov',
      box('udta', box('meta', u32(0), box('ilst', box('covr', box('data', u32(13), u32(0), image))))),
    ),
  ]);

/** Creates Ogg pages with one packet each. */
function ogg(image: Buffer): Buffer {
  const comment = latin1(`METADATA_BLOCK_PICTURE=${flacPicture(image).toString('base64')}`);
  const identification = Buffer.concat([
    latin1('\x01vorbis'),
    u32le(0),
    latin1('\x02'),
    u32le(44_100),
    u32le(0),
    u32le(128_000),
    u32le(0),
    latin1('\xb8\x01'),
  ]);
  const comments = Buffer.concat([
    latin1('\x03vorbis'),
    u32le(1),
    latin1('q'),
    u32le(1),
    u32le(comment.length),
    comment,
    latin1('\x01'),
  ]);
  const page = (packet: Buffer, sequence: number): Buffer => {
    const segments = [...Array(Math.floor(packet.length / 255)).fill(255), packet.length % 255];
    const flags = sequence === 0 ? '\x02' : '\0';
    return Buffer.concat([
      latin1(`OggS\0${flags}`),
      Buffer.alloc(8),
      u32le(1),
      u32le(sequence),
      u32le(0),
      Buffer.from([segments.length, ...segments]),
      packet,
    ]);
  };
  return Buffer.concat([page(identification, 0), page(comments, 1)]);
}

function photoshop(image: Buffer): Buffer {
  const thumbnail = Buffer.concat([Buffer.alloc(28), image]);
  const resource = (id: number, data: Buffer) =>
    Buffer.concat([
      latin1('8BIM'),
      Buffer.from([id >> 8, id & 255, 0, 0]),
      u32(data.length),
      data,
      Buffer.alloc(data.length % 2),
    ]);
  const resources = Buffer.concat([resource(1005, latin1('odd')), resource(1036, thumbnail)]);
  return Buffer.concat([latin1('8BPS\0\x01'), Buffer.alloc(20), u32(0), u32(resources.length), resources]);
}

const opf = (items: string, metadata = '') =>
  `<?xml version="1.0"?><package><metadata>${metadata}</metadata><manifest>${items}</manifest></package>`;

/** A kind of file that contains a picture. */
interface PicturedFile {
  readonly type: string;
  /** Creates a file that contains a JPEG. */
  readonly of: (image: Buffer) => Buffer | Promise<Buffer>;
}

/** The kinds of files that contain a picture, by name. */
export const picturedFiles: Readonly<Record<string, PicturedFile>> = {
  'an Office document with a thumbnail': {
    type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    of: (image) => zipOf({ 'word/document.xml': '<a/>', 'docProps/thumbnail.jpeg': image }),
  },
  'an OpenDocument text with a thumbnail': {
    type: 'application/vnd.oasis.opendocument.text',
    of: async (image) =>
      zipOf({
        'content.xml': '<a/>',
        'META-INF/manifest.xml': '<a/>',
        'Thumbnails/thumbnail.png': await sharp(image).png().toBuffer(),
      }),
  },
  'a document by Apple Pages': {
    type: 'application/vnd.apple.pages',
    of: async (image) => zipOf({ 'preview-web.jpg': await other, 'preview.jpg': image }),
  },
  'a comic book, whose first page counts': {
    type: 'application/vnd.comicbook+zip',
    of: async (image) => zipOf({ '2.jpg': await other, '1.jpg': image }),
  },
  'a book of EPUB 3': {
    type: 'application/epub+zip',
    of: async (image) =>
      zipOf({
        'OPS/a.jpg': await other,
        'OPS/b.opf': opf(
          '<item id="a" href="a.jpg"/><item id="b" properties="svg cover-image" href="images/my%20face.jpg"/>',
        ),
        'OPS/images/my face.jpg': image,
      }),
  },
  'a book of EPUB 2': {
    type: 'application/epub+zip',
    of: async (image) =>
      zipOf({
        'cover-old.jpg': await other,
        'c.opf': opf(
          '<opf:item id="x" href="x.jpg"/><opf:item href="y(1).jpg" id="y"/>',
          '<meta content="y" name="cover"/>',
        ),
        'x.jpg': await other,
        'y(1).jpg': image,
      }),
  },
  'a book whose cover only has the name': {
    type: 'application/epub+zip',
    of: async (image) => zipOf({ 'a.jpg': await other, 'x/Cover.JPG': image }),
  },
  'an MP3 file': { type: 'audio/mpeg', of: mp3 },
  'a FLAC file': { type: 'audio/x-flac', of: flac },
  'an MP4 audio file': { type: 'audio/mp4', of: m4a },
  'an Ogg file': { type: 'audio/ogg', of: ogg },
  'a Photoshop file': { type: 'image/vnd.adobe.photoshop', of: photoshop },
};
