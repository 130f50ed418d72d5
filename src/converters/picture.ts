import { asTiff, decodedPixels } from './decoded-picture.ts';

/** The media types of supported pictures. */
export const pictureTypes = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/gif',
  'image/tiff',
  'image/avif',
  'image/svg+xml',
  'image/heic',
  'image/heif',
  'image/bmp',
  'image/x-ms-bmp',
];

/**
 * The maximum number of pixels in a picture. It is checked before decoding, because even a small file can contain any
 * number of pixels.
 */
const maxPixels = 100_000_000;

/**
 * The maximum size in bytes of a color profile that is preserved. A scanner's profile can be larger than a small
 * picture.
 */
const maxProfile = 16_384;

/**
 * Opens a picture, rotates it upright according to EXIF and removes its metadata. The color profile is preserved,
 * except that CMYK pictures and pictures with a large profile are converted to sRGB. By default, the picture keeps its
 * format; if sharp cannot write that format, the result is a JPEG or PNG.
 * @param source the path of the file, or its bytes
 */
export async function openPicture(source: string | Buffer) {
  // The package is loaded only in converter processes, because it is native code.
  const { default: sharp } = await import('sharp');
  // The caches and threads of libvips would only increase memory usage.
  sharp.cache(false);
  sharp.concurrency(1);
  const options = { limitInputPixels: maxPixels, sequentialRead: true, failOn: 'error' } as const;
  const pixels = await decodedPixels(source, maxPixels);
  // sharp can read the header of HEIC files, although it cannot decode them.
  const header =
    pixels &&
    (await sharp(source)
      .metadata()
      .catch(() => undefined));
  const opened = sharp(pixels ? asTiff(pixels, header?.icc) : source, options);
  const found = await opened.metadata();
  const metadata = header?.exif ? { ...found, exif: header.exif } : found;
  const picture = opened.autoOrient().toColourspace('srgb');
  if (pixels) picture.toFormat(found.hasAlpha ? 'png' : 'jpeg', { quality: 85 });
  const hasOwnColors =
    metadata.icc !== undefined && metadata.icc.length <= maxProfile && metadata.space !== 'cmyk';
  return { picture: hasOwnColors ? picture.keepIccProfile() : picture, metadata };
}
