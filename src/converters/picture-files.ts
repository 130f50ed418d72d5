import type { Sharp } from 'sharp';
import type { Converter } from './converter.ts';
import { openPicture, pictureTypes } from './picture.ts';

/** How a picture is written in each format; JPEG has no transparent pixels, so they become white. */
const writers = {
  png: (picture: Sharp) => picture.png(),
  jpeg: (picture: Sharp) => picture.flatten({ background: '#ffffff' }).jpeg({ quality: 85 }),
  webp: (picture: Sharp) => picture.webp({ quality: 85 }),
  gif: (picture: Sharp) => picture.gif(),
  tiff: (picture: Sharp) => picture.tiff({ compression: 'lzw' }),
};

const pictureFile = (format: keyof typeof writers): Converter => ({
  name: `image2${format}`,
  makes: format,
  takes: pictureTypes,
  parameters: {
    size: {
      description: 'Pixels of the longer side at most; that of the picture without it.',
      least: 1,
      most: 10_000,
    },
  },
  convert: async ({ file, parameters: { size } }) => {
    const { picture } = await openPicture(file);
    const sized = size ? picture.resize(size, size, { fit: 'inside', withoutEnlargement: true }) : picture;
    return { mimeType: `image/${format}`, bytes: await writers[format](sized).toBuffer() };
  },
});

/** A picture in another format, upright and without metadata. */
export const pictureFiles: readonly Converter[] = [
  pictureFile('png'),
  pictureFile('jpeg'),
  pictureFile('webp'),
  pictureFile('gif'),
  pictureFile('tiff'),
];
