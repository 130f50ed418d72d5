/** The media types of pictures that can be read. */
export const pictureTypes = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/gif',
  'image/tiff',
  'image/avif',
  'image/svg+xml',
];

/**
 * The maximum number of pixels. It is checked before decoding, because a small file can contain any number of pixels.
 */
const maxPixels = 100_000_000;

/**
 * The maximum size of a colour profile that is kept. Larger ones, as of scanners, can be larger than a small picture.
 */
const maxProfile = 16_384; // bytes

/**
 * Opens a picture, rotated upright according to EXIF and without metadata. The colour profile is kept, except that CMYK and
 * pictures with a large profile are converted to sRGB.
 */
export async function openPicture(file: string) {
  const { default: sharp } = await import('sharp'); // loaded only in converter processes, because it is native code
  // Caches and threads of libvips would only make the process larger.
  sharp.cache(false);
  sharp.concurrency(1);
  const opened = sharp(file, { limitInputPixels: maxPixels, sequentialRead: true, failOn: 'error' });
  const metadata = await opened.metadata();
  const picture = opened.autoOrient().toColourspace('srgb');
  const hasOwnColors =
    metadata.icc !== undefined && metadata.icc.length <= maxProfile && metadata.space !== 'cmyk';
  return { picture: hasOwnColors ? picture.keepIccProfile() : picture, metadata };
}
