import type { Metadata } from 'sharp';
import type { PictureInfo } from './converter.ts';

/** The number of bits in each numeric format of libvips. */
const bits: Readonly<Record<string, number>> = {
  uchar: 8,
  char: 8,
  ushort: 16,
  short: 16,
  uint: 32,
  int: 32,
  float: 32,
  double: 64,
};

/** Maps libvips' names of color spaces to ImageMagick's names, which clients expect. */
const colorSpaces: Readonly<Record<string, string>> = {
  'b-w': 'Gray',
  grey16: 'Gray',
  cmyk: 'CMYK',
  lab: 'Lab',
};

/** Returns the value of `picture:info` for a file. */
export function pictureInfo({ autoOrient, depth, space }: Metadata, mimeType: string): PictureInfo {
  const format = mimeType.replace(/^image\//, '').replace(/\+xml$/, '');
  return {
    width: autoOrient.width,
    height: autoOrient.height,
    depth: bits[depth] ?? 8,
    format: format.toUpperCase(),
    colorSpace: colorSpaces[space] ?? 'sRGB',
  };
}

/** The maximum number of characters in a value; longer values are truncated. */
const maxCharacters = 1_000;

/** Returns a tag's text without control characters and lone surrogates; undefined if no text remains. */
function textOf(value: unknown): string | undefined {
  const decoded = value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : value;
  const text = (typeof decoded === 'string' ? decoded : '')
    .replace(/[\p{Cc}\p{Cs}]+/gu, ' ')
    .trim()
    .slice(0, maxCharacters);
  return text === '' ? undefined : text;
}

const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

const integerOf = (value: unknown): number | undefined => {
  const number = numberOf(value);
  return number === undefined ? undefined : Math.round(number);
};

const asText = (value: unknown): string | undefined => textOf(numberOf([value].flat()[0])?.toString());

/**
 * Reads a date from EXIF. The library silently changes invalid dates, such as `0000:00:00` or a date in a thirteenth
 * month, to valid ones. Therefore, a date is returned only if its text occurs in the EXIF bytes.
 */
function dateOf(value: unknown, exif: Buffer): string | undefined {
  if (!(value instanceof Date) || Number.isNaN(value.getTime())) return undefined;
  const iso = value.toISOString();
  const text = iso.slice(0, 'YYYY-MM-DDThh:mm:ss'.length).replaceAll('-', ':').replace('T', ' ');
  return exif.includes(text, 0, 'latin1') ? iso : undefined;
}

/**
 * Returns the text of the tag `UserComment`, whose first eight bytes specify the encoding. Returns undefined for
 * encodings other than ASCII.
 */
const commentOf = (value: unknown): string | undefined =>
  value instanceof Uint8Array && /^(ASCII|\0{5})/.test(Buffer.from(value.subarray(0, 8)).toString('latin1'))
    ? textOf(value.subarray(8))
    : undefined;

type Tags = Readonly<Record<string, unknown>>;

const colorsOf = (value: unknown): string | undefined =>
  value === 1 ? 'sRGB' : value === 0xffff ? 'Uncalibrated' : undefined;

const whitesOf = (value: unknown): string | undefined =>
  value === 0 ? 'Auto' : value === 1 ? 'Manual' : undefined;

/** The EXIF tag for each field of `image_metadata`. The location is omitted for privacy. */
const fields: ReadonlyArray<
  readonly [field: string, of: (image: Tags, photo: Tags, exif: Buffer) => string | number | undefined]
> = [
  ['image_description', ({ ImageDescription }) => textOf(ImageDescription)],
  ['user_comment', (_, { UserComment }) => commentOf(UserComment)],
  ['equipment', ({ Make, Model }) => textOf([textOf(Make), textOf(Model)].filter(Boolean).join(' '))],
  ['date_time_original', (_, { DateTimeOriginal }, exif) => dateOf(DateTimeOriginal, exif)],
  ['xresolution', ({ XResolution }) => integerOf(XResolution)],
  ['yresolution', ({ YResolution }) => integerOf(YResolution)],
  ['pixel_xdimension', (_, { PixelXDimension }) => integerOf(PixelXDimension)],
  ['pixel_ydimension', (_, { PixelYDimension }) => integerOf(PixelYDimension)],
  ['copyright', ({ Copyright }) => textOf(Copyright)],
  ['exposure_time', (_, { ExposureTime }) => numberOf(ExposureTime)],
  ['iso_speed_ratings', (_, { ISOSpeedRatings }) => asText(ISOSpeedRatings)],
  ['focal_length', (_, { FocalLength }) => numberOf(FocalLength)],
  ['color_space', (_, { ColorSpace }) => colorsOf(ColorSpace)],
  ['white_balance', (_, { WhiteBalance }) => whitesOf(WhiteBalance)],
  ['orientation', ({ Orientation }) => asText(Orientation)],
  ['fnumber', (_, { FNumber }) => numberOf(FNumber)],
];

/**
 * Reads the fields of the schema `image_metadata` from the EXIF data. Returns an empty object if the data is missing or
 * damaged.
 */
export async function cameraMetadata({ exif }: Metadata): Promise<Record<string, string | number>> {
  if (!exif) return {};
  const { default: readExif } = await import('exif-reader');
  try {
    const { Image: image = {}, Photo: photo = {} } = readExif(exif);
    const found = fields.map(([field, of]) => [field, of(image as Tags, photo as Tags, exif)] as const);
    return Object.fromEntries(
      found.filter((entry): entry is [string, string | number] => entry[1] !== undefined),
    );
  } catch {
    return {};
  }
}
