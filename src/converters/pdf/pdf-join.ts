import type { Converter } from '../converter.ts';
import { asPdf, maxPdfPages, newPdf, openPdf } from './pdf-documents.ts';

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
      if (joined.getPageCount() > maxPdfPages)
        throw new Error(`the files together have more than ${maxPdfPages} pages`);
    }
    return asPdf(joined);
  },
};
