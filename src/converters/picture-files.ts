import type { Sharp } from 'sharp';
import type { Converter } from './converter.ts';
import { openPicture, pictureTypes } from './picture.ts';

/** The encoder for each format. JPEG does not support transparency, so transparent pixels are made white. */
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
      description: 'The maximum length of the longer side, in pixels; by default the length in the picture.',
      min: 1,
      max: 10_000,
    },
  },
  convert: async ({ file, parameters: { size } }) => {
    const { picture } = await openPicture(file);
    const sized = size ? picture.resize(size, size, { fit: 'inside', withoutEnlargement: true }) : picture;
    return { mimeType: `image/${format}`, bytes: await writers[format](sized).toBuffer() };
  },
});

/**
 * Converters that convert a picture to another format. They also rotate the picture upright and remove its metadata.
 */
export const pictureFiles: readonly Converter[] = [
  pictureFile('png'),
  pictureFile('jpeg'),
  pictureFile('webp'),
  pictureFile('gif'),
  pictureFile('tiff'),
];
