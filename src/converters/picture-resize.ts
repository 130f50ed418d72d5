import type { Converter } from './converter.ts';
import { openPicture, pictureTypes } from './picture.ts';

/** Of a side, in pixels. */
const mostPixels = 16_383; // no WebP is larger

const side = (description: string) => ({ description, least: 1, most: mostPixels });

/** A picture within a width and a height, of the same media type; of SVG, PNG. */
export const resizedPicture: Converter = {
  name: 'pictureResize',
  makes: 'resized',
  takes: pictureTypes,
  parameters: {
    width: side('The greatest width, in pixels.'),
    height: side('The greatest height, in pixels.'),
  },
  convert: async ({ file, parameters: { width, height } }) => {
    const { picture } = await openPicture(file);
    const sized = picture.resize({ width, height, fit: 'inside', withoutEnlargement: true });
    const { data: bytes, info } = await sized.toBuffer({ resolveWithObject: true });
    return { mimeType: `image/${info.format === 'heif' ? 'avif' : info.format}`, bytes };
  },
};
