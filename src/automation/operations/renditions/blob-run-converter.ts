import { convertInput } from '../../blobs/convert-input.ts';
import { emptyPdf } from '../../call-example.ts';
import { operation } from '../../operation.ts';
import { propertyMap, text } from '../../params/kinds.ts';

export const blobRunConverter = operation({
  id: 'Blob.RunConverter',
  label: 'Run Converter',
  category: 'Conversion',
  description:
    'Returns what a converter makes of the input files, or of the main files of the input documents.',
  needsPrograms: true,
  example: { files: { 'whole.pdf': emptyPdf }, params: { converter: 'pdf2thumbnail' } },
  takes: ['documents', 'bloblist'],
  needs: 'Read',
  isOneForOne: true,
  gives: 'bloblist',
  params: {
    converter: text.required('The name of the converter, such as pdf2text.'),
    parameters: propertyMap.withDefault({}, 'Numbers by name, such as page.'),
  },
  run: (context, given, { converter, parameters }) => convertInput(context, given, { converter, parameters }),
});
