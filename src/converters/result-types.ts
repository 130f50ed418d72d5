import type { Purpose } from './converter.ts';

const pictures = ['image/jpeg', 'image/png']; // PNG is used if the picture has transparency

const frame = ['image/jpeg'];

/** The possible media types of the result, for each purpose. */
export const resultTypes: Readonly<Record<Purpose, readonly string[]>> = {
  thumbnail: pictures,
  Thumbnail: pictures,
  Small: pictures,
  Medium: pictures,
  FullHD: pictures,
  OriginalJpeg: ['image/jpeg'],
  Frame1: frame,
  Frame2: frame,
  Frame3: frame,
  Frame4: frame,
  Frame5: frame,
  Frame6: frame,
  Frame7: frame,
  Frame8: frame,
  Frame9: frame,
  text: ['text/plain'],
  pdf: ['application/pdf'],
  html: ['text/html'],
  png: ['image/png'],
  jpeg: ['image/jpeg'],
  webp: ['image/webp'],
  gif: ['image/gif'],
  tiff: ['image/tiff'],
  info: ['application/json'],
  layout: ['application/json'],
  pages: ['application/pdf'],
  joined: ['application/pdf'],
  resized: [...pictures, 'image/webp', 'image/gif', 'image/tiff', 'image/avif'],
};
