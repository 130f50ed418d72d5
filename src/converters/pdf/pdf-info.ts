import type { Converter } from '../converter.ts';
import { openPdfium } from './pdf-pages.ts';

/** Returns the number of pages as JSON, such as `{"pages": 3}`. */
export const pdfInfo: Converter = {
  name: 'pdf2info',
  makes: 'info',
  takes: ['application/pdf'],
  convert: ({ file }) =>
    openPdfium(file, async (document) => ({
      mimeType: 'application/json',
      bytes: Buffer.from(JSON.stringify({ pages: document.getPageCount() })),
    })),
};
