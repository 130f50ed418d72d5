import { type Converter, Unsuitable } from '../converter.ts';
import { asPdf, maxPdfPages, newPdf, openPdf } from './pdf-documents.ts';

const page = (description: string) => ({ description, min: 1, max: maxPdfPages });

/** Extracts a range of pages from a PDF. */
export const pdfExtract: Converter = {
  name: 'pdf2pages',
  makes: 'pages',
  takes: ['application/pdf'],
  parameters: {
    firstPage: page('The first page; by default 1.'),
    lastPage: page('The last page; by default the last page of the file.'),
  },
  convert: async ({ parameters, file }) => {
    const document = await openPdf({ file });
    const count = document.getPageCount();
    const { firstPage = 1, lastPage = count } = parameters;
    const wrong = lastPage > count ? 'lastPage' : firstPage > lastPage ? 'firstPage' : undefined;
    if (wrong)
      throw new Unsuitable(
        wrong,
        `there are no pages ${firstPage} to ${lastPage}; the file ends at page ${count}`,
      );
    const selected = await newPdf();
    const indices = document.getPageIndices().slice(firstPage - 1, lastPage);
    for (const each of await selected.copyPages(document, indices)) selected.addPage(each);
    return asPdf(selected);
  },
};
