import type { Converter, PictureView } from './converter.ts';
import { openPicture, pictureTypes } from './picture.ts';
import { cameraMetadata, pictureInfo } from './picture-facts.ts';

/** The length of each view's longer side, in pixels. OriginalJpeg keeps the picture's size. */
const sizes: Readonly<Record<PictureView, number | undefined>> = {
  Thumbnail: 100,
  Small: 550,
  Medium: 1_000,
  FullHD: 1_920,
  OriginalJpeg: undefined,
};

/** The views of a picture, from smallest to largest. */
export const pictureViews = Object.keys(sizes) as readonly PictureView[];

/**
 * Creates the converter for a view. The result is a PNG if the picture has transparency, otherwise a JPEG. OriginalJpeg
 * is always a JPEG.
 */
const viewConverter = (makes: PictureView): Converter => ({
  name: `picture${makes}`,
  makes,
  takes: pictureTypes,
  convert: async ({ file, mimeType }) => {
    const { picture, metadata } = await openPicture(file);
    const size = sizes[makes];
    const sized = size ? picture.resize(size, size, { fit: 'inside', withoutEnlargement: true }) : picture;
    const isPng = metadata.hasAlpha && size !== undefined;
    const view = isPng ? sized.png() : sized.flatten({ background: '#ffffff' }).jpeg({ quality: 85 });
    const { data: bytes, info } = await view.toBuffer({ resolveWithObject: true });
    return {
      mimeType: isPng ? 'image/png' : 'image/jpeg',
      bytes,
      facts: {
        view: {
          width: info.width,
          height: info.height,
          depth: 8,
          format: isPng ? 'PNG' : 'JPEG',
          colorSpace: info.channels > 2 ? 'sRGB' : 'Gray',
        },
        picture: pictureInfo(metadata, mimeType),
        metadata: await cameraMetadata(metadata),
      },
    };
  },
});

export const pictureViewConverters: readonly Converter[] = pictureViews.map(viewConverter);
