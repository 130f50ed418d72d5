import type { Converter } from './converter.ts';
import { openPicture, pictureTypes } from './picture.ts';

const pictureFile = (format: 'png' | 'jpeg'): Converter => ({
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
    const bytes = await (format === 'png'
      ? sized.png()
      : sized.flatten({ background: '#ffffff' }).jpeg({ quality: 85 })
    ).toBuffer();
    return { mimeType: `image/${format}`, bytes };
  },
});

/** A picture in another format, upright and without metadata. */
export const pictureFiles: readonly Converter[] = [pictureFile('png'), pictureFile('jpeg')];
