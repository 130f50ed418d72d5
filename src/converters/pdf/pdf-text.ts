import type { Converter } from '../converter.ts';
import { asText, textLimit } from '../texts/text-limit.ts';
import { textOfPage } from './page-text.ts';
import { eachPage } from './pdf-pages.ts';

/** Extracts the text of a PDF, page by page: the words on the pages, comments, and the values of form fields. */
export const pdfText: Converter = {
  name: 'pdf2text',
  makes: 'text',
  takes: ['application/pdf'],
  convert: async ({ file }) => {
    const pages: string[] = [];
    let length = 0;
    await eachPage(file, (page) => {
      const text = textOfPage(page);
      pages.push(text);
      length += text.length;
      return length >= textLimit;
    });
    return asText(pages.join('\n'));
  },
};
