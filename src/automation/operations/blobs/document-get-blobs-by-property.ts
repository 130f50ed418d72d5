import { Invalid } from '../../../errors.ts';
import { blobsAt } from '../../../model/values/document-blob.ts';
import { documentAt } from '../../documents/document-at.ts';
import { operation } from '../../operation.ts';
import { text } from '../../params/kinds.ts';

export const documentGetBlobsByProperty = operation({
  id: 'Document.GetBlobsByProperty',
  label: 'Get Document Files',
  category: 'Files',
  description:
    'Returns the files in a property of the input document, in the order in which they are stored.',
  example: { input: '/default-domain/workspaces/report', params: { xpath: 'file:content' } },
  takes: ['document'],
  needs: 'Read',
  gives: 'bloblist',
  params: { xpath: text.withDefault('files:files', 'The property, usually a list.') },
  run: async (context, document, { xpath }) => {
    const row = await documentAt(context, document);
    const blobs = blobsAt(context.services.model, row, xpath);
    if (!blobs) throw new Invalid(`xpath: ${row.type} has no property ${xpath}`);
    return blobs.map((blob) => ({ ...blob, document: row }));
  },
});
