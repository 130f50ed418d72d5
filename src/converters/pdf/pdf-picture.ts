import type { PDFiumPage } from '@hyzyla/pdfium';
import { type Converter, type NumberParameter, Unsuitable } from '../converter.ts';
import { maxPdfPages } from './pdf-documents.ts';
import { openPdfium } from './pdf-pages.ts';

/** The maximum length of the longer side, in pixels. */
const maxSize = 4_000;

/** Draws a page on a white background. @param size the length of the longer side, in pixels. */
export async function drawPage(page: PDFiumPage, size: number, format: 'jpeg' | 'png'): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  const { originalWidth, originalHeight } = page.getOriginalSize();
  const scale = size / Math.max(originalWidth, originalHeight, 1);
  const pixelsOf = (side: number) => Math.max(1, Math.round(side * scale));
  const { data } = await page.render({
    width: pixelsOf(originalWidth),
    height: pixelsOf(originalHeight),
    render: ({ data: pixels, width: across, height: down }) =>
      sharp(pixels, { raw: { width: across, height: down, channels: 4 } })
        .flatten({ background: '#ffffff' })
        .toFormat(format, format === 'jpeg' ? { quality: 80 } : {})
        .toBuffer(),
  });
  return Buffer.from(data);
}

const parameters: Readonly<Record<string, NumberParameter>> = {
  page: { description: 'The number of the page; by default 1.', min: 1, max: maxPdfPages },
  size: { description: 'The length of the longer side, in pixels; by default 1000.', min: 1, max: maxSize },
};

const pdfToPicture = (format: 'jpeg' | 'png'): Converter => ({
  name: `pdf2${format}`,
  makes: format,
  takes: ['application/pdf'],
  parameters,
  convert: ({ file, parameters: { page = 1, size = 1_000 } }) =>
    openPdfium(file, async (document) => {
      const count = document.getPageCount();
      if (page > count)
        throw new Unsuitable('page', `there is no page ${page}; the file ends at page ${count}`);
      const bytes = await drawPage(document.getPage(page - 1), size, format);
      return { mimeType: `image/${format}`, bytes };
    }),
});

export const pdfPictures: readonly Converter[] = [pdfToPicture('png'), pdfToPicture('jpeg')];
