import type { Converter, PictureView } from './converter.ts';
import { openPicture, pictureTypes } from './picture.ts';

/** Of the longer side, in pixels; the last view has the size of the picture. */
const sizes: Readonly<Record<PictureView, number | undefined>> = {
  Thumbnail: 100,
  Small: 550,
  Medium: 1_000,
  FullHD: 1_920,
  OriginalJpeg: undefined,
};

/** Views that browsers show, from small to large. */
export const pictureViews = Object.keys(sizes) as readonly PictureView[];

/** A view is JPEG; it is PNG where the picture is transparent, unless its name says otherwise. */
const viewConverter = (makes: PictureView): Converter => ({
  name: `picture${makes}`,
  makes,
  takes: pictureTypes,
  convert: async ({ file }) => {
    const { picture, hasAlpha } = await openPicture(file);
    const size = sizes[makes];
    const view = size ? picture.resize(size, size, { fit: 'inside', withoutEnlargement: true }) : picture;
    if (hasAlpha && size !== undefined) return { mimeType: 'image/png', bytes: await view.png().toBuffer() };
    const bytes = await view
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: 85, mozjpeg: true })
      .toBuffer();
    return { mimeType: 'image/jpeg', bytes };
  },
});

export const pictureViewConverters: readonly Converter[] = pictureViews.map(viewConverter);
