import type { Converted, Converter } from './converter.ts';
import { audioTypes } from './programs/media-files.ts';
import { requireUnencrypted } from './require-unencrypted.ts';
import { readEntry } from './texts/unpacked.ts';
import { thumbnailOf } from './thumbnail.ts';
import { readWhole } from './whole-file.ts';

/** The maximum size of an embedded picture, in bytes. */
const maxPicture = 20_000_000;

/** The maximum size of an e-book's table of contents, in bytes. */
const maxContents = 1_000_000;

/** The result for a valid file without a picture. */
const noPicture: Converted = { mimeType: 'image/png', bytes: new Uint8Array() };

const thumbnailOrNone = async (picture: Buffer | undefined): Promise<Converted> =>
  picture ? thumbnailOf(picture) : noPicture;

/**
 * Finds the picture in an archive. @returns undefined if there is none
 * @throws Error if the archive is damaged or encrypted
 */
type FindPicture = (file: string) => Promise<Buffer | undefined>;

const named =
  (...names: RegExp[]): FindPicture =>
  (file) =>
    readEntry(file, names, maxPicture);

/** Returns the elements of a table of contents, each with its local name and attributes. */
async function elementsOf(
  contents: string,
): Promise<ReadonlyArray<readonly [string, Record<string, string>]>> {
  const { default: sax } = await import('sax');
  const parser = sax.parser(true);
  const found: Array<readonly [string, Record<string, string>]> = [];
  parser.onopentag = ({ name, attributes }) => {
    found.push([name.slice(name.indexOf(':') + 1), attributes as Record<string, string>]);
  };
  parser.onerror = () => parser.resume();
  parser.write(contents).close();
  return found;
}

/**
 * Finds the cover of an e-book. The table of contents declares the cover as a property (EPUB 3) or in a meta element
 * (EPUB 2); if neither exists, a picture named "cover" is used.
 */
const ofBook: FindPicture = async (file) => {
  const contents = await readEntry(file, [/\.opf$/i], maxContents);
  const elements = await elementsOf(contents?.toString('utf8') ?? '');
  const all = (name: string) =>
    elements.filter(([each]) => each === name).map(([, attributes]) => attributes);
  const id = all('meta').find(({ name }) => name === 'cover')?.content;
  const items = all('item');
  const cover =
    items.find(({ properties = '' }) => properties.split(' ').includes('cover-image')) ??
    items.find((item) => id !== undefined && item.id === id);
  const name = cover?.href?.split('/').at(-1);
  const exact = name ? [decodeURIComponent(name)] : [];
  return readEntry(file, [...exact, /(?:^|\/)cover[^/]{0,99}\.(?:jpe?g|png|gif|webp)$/i], maxPicture);
};

const openXml = 'openxmlformats-officedocument.';

/**
 * The kinds of archives that can contain a picture of their contents, each with the function that finds it.
 */
const archives: ReadonlyArray<{ readonly types: readonly string[]; readonly find: FindPicture }> = [
  {
    types: [
      `vnd.${openXml}wordprocessingml.document`,
      `vnd.${openXml}wordprocessingml.template`,
      'vnd.ms-word.document.macroenabled.12',
      `vnd.${openXml}spreadsheetml.sheet`,
      `vnd.${openXml}spreadsheetml.template`,
      'vnd.ms-excel.sheet.macroenabled.12',
      'vnd.ms-excel.sheet.binary.macroenabled.12',
      `vnd.${openXml}presentationml.presentation`,
      `vnd.${openXml}presentationml.slideshow`,
      `vnd.${openXml}presentationml.template`,
      'vnd.ms-powerpoint.presentation.macroenabled.12',
      'vnd.visio',
    ],
    // Office saves a preview only if the user asks for one. Previews in the Windows metafile format cannot be read.
    find: named(/^docProps\/thumbnail\.(jpe?g|png)$/i),
  },
  {
    types: [
      ...[
        'text',
        'text-template',
        'spreadsheet',
        'spreadsheet-template',
        'presentation',
        'presentation-template',
      ]
        .concat('graphics', 'chart', 'formula')
        .map((kind) => `vnd.oasis.opendocument.${kind}`),
      ...['writer', 'calc', 'impress', 'draw'].map((kind) => `vnd.sun.xml.${kind}`),
    ],
    find: named(/^Thumbnails\/thumbnail\.png$/),
  },
  { types: ['epub+zip'], find: ofBook },
  {
    types: ['pages', 'numbers', 'keynote'].map((kind) => `vnd.apple.${kind}`),
    find: named(/^preview\.jpg$/, /^QuickLook\/Thumbnail\.jpg$/, /^preview-web\.jpg$/),
  },
  { types: ['vnd.comicbook+zip', 'x-cbr', 'x-cbz'], find: named(/\.(jpe?g|png|gif|webp)$/i) },
];

const typesOf = (types: readonly string[]): string[] => types.map((type) => `application/${type}`);

const archivePicture: Converter = {
  name: 'archive2thumbnail',
  makes: 'thumbnail',
  takes: archives.flatMap(({ types }) => typesOf(types)),
  isFallback: true,
  convert: async ({ file, mimeType }) => {
    await requireUnencrypted(file);
    const archive = archives.find(({ types }) => typesOf(types).includes(mimeType));
    return thumbnailOrNone(await archive?.find(file));
  },
};

/** The media types of audio files that can contain cover art. */
const coverTypes = [
  ...audioTypes,
  ...['mp3', 'm4a', 'vorbis', 'x-ms-wma', 'x-ape', 'x-matroska'].map((type) => `audio/${type}`),
];

const audioCover: Converter = {
  name: 'audio2thumbnail',
  makes: 'thumbnail',
  takes: coverTypes,
  isFallback: true,
  convert: async ({ file }) => {
    const { parseFile, selectCover } = await import('music-metadata');
    const { common } = await parseFile(file, { duration: false, skipPostHeaders: true });
    const cover = selectCover(common.picture);
    if (cover && cover.data.length > maxPicture)
      throw new Error(`the cover picture is larger than ${maxPicture} bytes`);
    return thumbnailOrNone(cover ? Buffer.from(cover.data) : undefined);
  },
};

/**
 * Finds the JPEG thumbnail in the image resources of a Photoshop file (Adobe Photoshop File Formats, resource 1036).
 */
function photoshopPicture(bytes: Buffer): Buffer | undefined {
  if (bytes.toString('latin1', 0, 4) !== '8BPS') throw new Error('the file is not a Photoshop file');
  const colorsAt = 26; // the offset of the color mode data, after the file header
  const resourcesAt = colorsAt + 4 + bytes.readUInt32BE(colorsAt);
  const end = Math.min(resourcesAt + 4 + bytes.readUInt32BE(resourcesAt), bytes.length);
  for (let at = resourcesAt + 4; at + 12 <= end; ) {
    const id = bytes.readUInt16BE(at + 4);
    const name = bytes.readUInt8(at + 6) + 1;
    const dataAt = at + 6 + name + (name % 2) + 4;
    if (dataAt > end) break;
    const length = bytes.readUInt32BE(dataAt - 4);
    const header = 28; // the size of the header in front of the JPEG
    if (id === 1036 && length > header) return bytes.subarray(dataAt + header, dataAt + length);
    at = dataAt + length + (length % 2);
  }
  return undefined;
}

const photoshopThumbnail: Converter = {
  name: 'psd2thumbnail',
  makes: 'thumbnail',
  takes: ['image/vnd.adobe.photoshop', 'image/x-photoshop'],
  isFallback: true,
  convert: async ({ file }) => thumbnailOrNone(photoshopPicture(await readWhole(file))),
};

/**
 * Converters that create thumbnails from pictures embedded in other files, such as covers or first-page previews.
 */
export const embeddedPictures: readonly Converter[] = [archivePicture, audioCover, photoshopThumbnail];
