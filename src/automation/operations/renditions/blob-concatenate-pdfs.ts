import { Invalid } from '../../../errors.ts';
import { emptyPdf } from '../../call-example.ts';
import { blobsIn, variableOf } from '../../chains/variables.ts';
import { operation } from '../../operation.ts';
import { shortText, text } from '../../params/kinds.ts';

const type = 'application/pdf';

export const blobConcatenatePdfs = operation({
  id: 'Blob.ConcatenatePDFs',
  label: 'Concatenate PDFs',
  category: 'Conversion',
  description: 'Returns a PDF with the pages of all input PDFs, in the order of the input.',
  example: { files: { 'first.pdf': emptyPdf, 'second.pdf': emptyPdf }, params: { filename: 'both.pdf' } },
  takes: ['bloblist'],
  gives: 'blob',
  params: {
    filename: shortText.required('The name of the PDF.'),
    blob_to_append: text.withDefault('', 'The name of a variable that contains a PDF. Its pages come first.'),
  },
  run: async (context, given, { filename: name, blob_to_append: variable }, call) => {
    const all = [...(variable === '' ? [] : blobsIn(variable, variableOf(call, variable))), ...given];
    const other = all.find(({ mimeType }) => mimeType !== type);
    if (other) throw new Invalid(`input: ${other.name ?? 'a file'} is not a PDF, but ${other.mimeType}.`);
    const [first, ...others] = all;
    if (!first) throw new Invalid('input must contain a PDF.');
    if (others.length === 0) return { ...first, name };
    const made = await context.services.conversions.of(context.db, 'joined', first, { others });
    if (!made) throw new Invalid('input: one of the PDFs cannot be read.');
    return { ...made, name };
  },
});
