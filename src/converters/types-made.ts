import type { Purpose } from './converter.ts';

const pictures = ['image/jpeg', 'image/png']; // PNG where a picture is transparent

/** The media types that converters make for each purpose. */
export const typesMade: Readonly<Record<Purpose, readonly string[]>> = {
  thumbnail: pictures,
  Thumbnail: pictures,
  Small: pictures,
  Medium: pictures,
  FullHD: pictures,
  OriginalJpeg: ['image/jpeg'],
  text: ['text/plain'],
  pdf: ['application/pdf'],
  html: ['text/html'],
  png: ['image/png'],
  jpeg: ['image/jpeg'],
  info: ['application/json'],
  pages: ['application/pdf'],
  joined: ['application/pdf'],
  resized: [...pictures, 'image/webp', 'image/gif', 'image/tiff', 'image/avif'],
};
