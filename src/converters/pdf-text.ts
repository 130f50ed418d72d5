import type { Converter } from './converter.ts';
import { asText, textLimit } from './text-limit.ts';
import { readWhole } from './whole-file.ts';

/** The text of a PDF, page after page. */
export const pdfText: Converter = {
  name: 'pdf2text',
  makes: 'text',
  takes: ['application/pdf'],
  convert: async ({ file }) => {
    const bytes = await readWhole(file);
    const { PDFiumLibrary } = await import('@hyzyla/pdfium');
    const library = await PDFiumLibrary.init();
    const document = await library.loadDocument(bytes);
    const pages: string[] = [];
    let length = 0;
    for (const page of document.pages()) {
      const text = page.getText();
      pages.push(text);
      length += text.length;
      if (length >= textLimit) break;
    }
    document.destroy();
    library.destroy();
    return asText(pages.join('\n'));
  },
};
