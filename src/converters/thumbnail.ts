import type { Converter } from './converter.ts';

/** Of the longer side, in pixels. */
const size = 350;

/** Larger pictures are refused before they are decoded: a small file may hold any number of pixels. */
const mostPixels = 100_000_000;

/** A picture that fits into a square, upright, without metadata; PNG where it is transparent, else JPEG. */
export const thumbnailConverter: Converter = {
  name: 'thumbnail',
  makes: 'thumbnail',
  takes: ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/tiff', 'image/avif', 'image/svg+xml'],
  convert: async ({ file }) => {
    const { default: sharp } = await import('sharp'); // native code, which the server itself does not load
    // The process is to stay small: no picture is kept, and one thread is enough.
    sharp.cache(false);
    sharp.concurrency(1);
    const picture = sharp(file, { limitInputPixels: mostPixels, sequentialRead: true, failOn: 'error' });
    const { hasAlpha } = await picture.metadata();
    const small = picture
      .rotate() // as EXIF says
      .resize(size, size, { fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb');
    const bytes = await (hasAlpha ? small.png() : small.jpeg({ quality: 80, mozjpeg: true })).toBuffer();
    return { mimeType: hasAlpha ? 'image/png' : 'image/jpeg', bytes };
  },
};
