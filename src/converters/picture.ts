/** Pictures that are read. */
export const pictureTypes = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/gif',
  'image/tiff',
  'image/avif',
  'image/svg+xml',
];

/** Larger pictures are refused before they are decoded: a small file may hold any number of pixels. */
const mostPixels = 100_000_000;

/** Larger colour profiles, such as those of scanners, would outweigh a small picture. */
const mostProfile = 16_384; // bytes

/**
 * A picture, upright as EXIF says, and without metadata. Its colours keep their profile; those for print, and
 * those with a large profile, become sRGB.
 */
export async function openPicture(file: string) {
  const { default: sharp } = await import('sharp'); // native code, which the server itself does not load
  // The process is to stay small: no picture is kept, and one thread is enough.
  sharp.cache(false);
  sharp.concurrency(1);
  const opened = sharp(file, { limitInputPixels: mostPixels, sequentialRead: true, failOn: 'error' });
  const metadata = await opened.metadata();
  const picture = opened.autoOrient().toColourspace('srgb');
  const hasOwnColors =
    metadata.icc !== undefined && metadata.icc.length <= mostProfile && metadata.space !== 'cmyk';
  return { picture: hasOwnColors ? picture.keepIccProfile() : picture, metadata };
}
