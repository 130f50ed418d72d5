import { convertInput } from '../../blobs/convert-input.ts';
import { emptyPdf } from '../../call-example.ts';
import { operation } from '../../operation.ts';
import { propertyMap, text } from '../../params/kinds.ts';

export const blobRunConverter = operation({
  id: 'Blob.RunConverter',
  label: 'Run Converter',
  category: 'Conversion',
  description: 'Converts the input files, or the main files of the input documents, with a given converter.',
  needsPrograms: true,
  example: { files: { 'whole.pdf': emptyPdf }, params: { converter: 'pdf2thumbnail' } },
  takes: ['documents', 'bloblist'],
  needs: 'Read',
  isOneForOne: true,
  gives: 'bloblist',
  params: {
    converter: text.required('The name of the converter, such as pdf2text.'),
    parameters: propertyMap.withDefault(
      {},
      'The numeric parameters of the converter, by name, such as page.',
    ),
  },
  run: (context, input, { converter, parameters }) => convertInput(context, input, { converter, parameters }),
});
