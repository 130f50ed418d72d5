import type { Converted, Converter } from './converter.ts';
import { openPicture, pictureTypes } from './picture.ts';

/** The length of the longer side, in pixels. */
export const thumbnailSize = 350;

/**
 * Creates a thumbnail of a picture. The result is a PNG if the picture has transparency, otherwise a JPEG.
 * @param source the path of a file, or its bytes
 */
export async function thumbnailOf(source: string | Buffer): Promise<Converted> {
  const { picture, metadata } = await openPicture(source);
  const { hasAlpha } = metadata;
  const small = picture.resize(thumbnailSize, thumbnailSize, { fit: 'inside', withoutEnlargement: true });
  const bytes = await (hasAlpha ? small.png() : small.jpeg({ quality: 80, mozjpeg: true })).toBuffer();
  return { mimeType: hasAlpha ? 'image/png' : 'image/jpeg', bytes };
}

export const thumbnailConverter: Converter = {
  name: 'thumbnail',
  makes: 'thumbnail',
  takes: pictureTypes,
  convert: ({ file }) => thumbnailOf(file),
};
