import type { Converter } from '../converter.ts';
import { thumbnailSize } from '../thumbnail.ts';
import { openPdfium } from './pdf-pages.ts';
import { drawPage } from './pdf-picture.ts';

/** Creates a thumbnail of the first page of a PDF. */
export const pdfThumbnail: Converter = {
  name: 'pdf2thumbnail',
  makes: 'thumbnail',
  takes: ['application/pdf'],
  convert: ({ file }) =>
    openPdfium(file, async (document) => {
      if (document.getPageCount() === 0) throw new Error('the file has no pages');
      return { mimeType: 'image/jpeg', bytes: await drawPage(document.getPage(0), thumbnailSize, 'jpeg') };
    }),
};
