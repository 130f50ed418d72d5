import type { Converter } from './converter.ts';
import { openPicture, pictureTypes } from './picture.ts';

/** The maximum length of a side in pixels, which is the limit of the WebP format. */
const maxPixels = 16_383;

const side = (description: string) => ({ description, min: 1, max: maxPixels });

/**
 * Shrinks a picture to a maximum width and height. The media type stays the same, except that SVG becomes PNG.
 */
export const resizedPicture: Converter = {
  name: 'pictureResize',
  makes: 'resized',
  takes: pictureTypes,
  parameters: {
    width: side('The maximum width, in pixels.'),
    height: side('The maximum height, in pixels.'),
  },
  convert: async ({ file, parameters: { width, height } }) => {
    const { picture } = await openPicture(file);
    const sized = picture.resize({ width, height, fit: 'inside', withoutEnlargement: true });
    const { data: bytes, info } = await sized.toBuffer({ resolveWithObject: true });
    return { mimeType: `image/${info.format === 'heif' ? 'avif' : info.format}`, bytes };
  },
};
