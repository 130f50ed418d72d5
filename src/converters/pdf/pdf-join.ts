import type { Converter } from '../converter.ts';
import { asPdf, mostPages, newPdf, openPdf } from './pdf-documents.ts';

export const pdfJoin: Converter = {
  name: 'pdfJoin',
  makes: 'joined',
  takes: ['application/pdf'],
  convert: async ({ others, ...first }) => {
    const joined = await newPdf();
    for (const source of [first, ...others]) {
      const document = await openPdf(source);
      const pages = await joined.copyPages(document, document.getPageIndices());
      for (const page of pages) joined.addPage(page);
      if (joined.getPageCount() > mostPages)
        throw new Error(`together they have more than ${mostPages} pages`);
    }
    return asPdf(joined);
  },
};
