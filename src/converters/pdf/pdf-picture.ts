import type { PDFiumPage } from '@hyzyla/pdfium';
import { type Converter, type NumberParameter, Unsuitable } from '../converter.ts';
import { mostPages } from './pdf-documents.ts';
import { openPdfium } from './pdf-pages.ts';

const mostAtOnce = 4_000; // pixels

/** A page on white paper. @param size of the longer side, in pixels. */
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
  page: { description: 'The page, 1 without it.', least: 1, most: mostPages },
  size: { description: 'Pixels of the longer side, 1000 without it.', least: 1, most: mostAtOnce },
};

const pdfToPicture = (format: 'jpeg' | 'png'): Converter => ({
  name: `pdf2${format}`,
  makes: format,
  takes: ['application/pdf'],
  parameters,
  convert: ({ file, parameters: { page = 1, size = 1_000 } }) =>
    openPdfium(file, async (document) => {
      const count = document.getPageCount();
      if (page > count) throw new Unsuitable('page', `the file has the pages 1 to ${count}, not ${page}`);
      const bytes = await drawPage(document.getPage(page - 1), size, format);
      return { mimeType: `image/${format}`, bytes };
    }),
});

export const pdfPictures: readonly Converter[] = [pdfToPicture('png'), pdfToPicture('jpeg')];
