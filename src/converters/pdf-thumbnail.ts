import type { Converter } from './converter.ts';
import { eachPage } from './pdf-pages.ts';
import { thumbnailSize } from './thumbnail.ts';

/** The first page of a PDF as a small picture. */
export const pdfThumbnail: Converter = {
  name: 'pdf2thumbnail',
  makes: 'thumbnail',
  takes: ['application/pdf'],
  convert: async ({ file }) => {
    const { default: sharp } = await import('sharp');
    let bytes: Buffer | undefined;
    await eachPage(file, async (page) => {
      const { originalWidth, originalHeight } = page.getOriginalSize();
      const scale = thumbnailSize / Math.max(originalWidth, originalHeight, 1);
      const { data } = await page.render({
        scale,
        render: ({ data: pixels, width, height }) =>
          // PDFium gives blue first.
          sharp(pixels, { raw: { width, height, channels: 4 } })
            .recomb([
              [0, 0, 1],
              [0, 1, 0],
              [1, 0, 0],
            ])
            .flatten({ background: '#ffffff' })
            .jpeg({ quality: 80 })
            .toBuffer(),
      });
      bytes = Buffer.from(data);
      return true;
    });
    if (!bytes) throw new Error('it has no page');
    return { mimeType: 'image/jpeg', bytes };
  },
};
