import { convertInput } from '../../blobs/convert-input.ts';
import { operation } from '../../operation.ts';

export const blobToPdf = operation({
  id: 'Blob.ToPDF',
  label: 'Convert To PDF',
  category: 'Conversion',
  description: 'Returns the input files, or the main files of the input documents, as PDFs.',
  needsPrograms: true,
  example: { input: '/default-domain/workspaces/picture' },
  takes: ['documents', 'bloblist'],
  needs: 'Read',
  isOneForOne: true,
  gives: 'bloblist',
  params: {},
  run: (context, input) =>
    convertInput(context, input, { type: 'application/pdf' }, { names: { type: 'input' } }),
});
