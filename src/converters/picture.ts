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

/** A picture, upright as EXIF says, in sRGB, without metadata. */
export async function openPicture(file: string) {
  const { default: sharp } = await import('sharp'); // native code, which the server itself does not load
  // The process is to stay small: no picture is kept, and one thread is enough.
  sharp.cache(false);
  sharp.concurrency(1);
  const picture = sharp(file, { limitInputPixels: mostPixels, sequentialRead: true, failOn: 'error' });
  const { hasAlpha } = await picture.metadata();
  return { picture: picture.rotate().toColourspace('srgb'), hasAlpha };
}
