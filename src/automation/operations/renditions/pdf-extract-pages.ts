import { extname } from 'node:path';
import { convertInput } from '../../blobs/convert-input.ts';
import { emptyPdf } from '../../call-example.ts';
import { operation } from '../../operation.ts';
import { integer, shortText, text } from '../../params/kinds.ts';

export const pdfExtractPages = operation({
  id: 'PDF.ExtractPages',
  label: 'PDF: Extract Pages',
  category: 'Conversion',
  description: "Returns a range of pages of each input PDF, or of each input document's PDF, as a new PDF.",
  example: { files: { 'whole.pdf': emptyPdf }, params: { startPage: 1, endPage: 1 } },
  takes: ['documents', 'bloblist'],
  needs: 'Read',
  isOneForOne: true,
  gives: 'bloblist',
  params: {
    startPage: integer.required('The first page, from 1.'),
    endPage: integer.required('The last page.'),
    fileName: shortText.withDefault(
      '',
      'The name of the file; by default the name of the PDF followed by the page numbers.',
    ),
    xpath: text.withDefault('file:content', 'The location of the PDF in an input document.'),
  },
  run: async (context, input, { startPage, endPage, fileName, xpath }) => {
    const parameters = { firstPage: startPage, lastPage: endPage };
    const names = { converter: 'input', firstPage: 'startPage', lastPage: 'endPage' };
    const made = await convertInput(context, input, { converter: 'pdf2pages', parameters }, { xpath, names });
    return made.map((blob) => {
      const whole = blob.name ?? 'file.pdf';
      const stem = whole.slice(0, whole.length - extname(whole).length);
      return { ...blob, name: fileName || `${stem}-${startPage}-${endPage}.pdf` };
    });
  },
});
