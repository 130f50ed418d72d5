import type { Converter } from './converter.ts';
import { openPicture, pictureTypes } from './picture.ts';

/** The length of the longer side, in pixels. */
export const thumbnailSize = 350;

/** Creates the thumbnail of a picture. It is a PNG if the picture has transparency, otherwise a JPEG. */
export const thumbnailConverter: Converter = {
  name: 'thumbnail',
  makes: 'thumbnail',
  takes: pictureTypes,
  convert: async ({ file }) => {
    const { picture, metadata } = await openPicture(file);
    const { hasAlpha } = metadata;
    const small = picture.resize(thumbnailSize, thumbnailSize, { fit: 'inside', withoutEnlargement: true });
    const bytes = await (hasAlpha ? small.png() : small.jpeg({ quality: 80, mozjpeg: true })).toBuffer();
    return { mimeType: hasAlpha ? 'image/png' : 'image/jpeg', bytes };
  },
};
