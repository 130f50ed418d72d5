import { Invalid } from '../../errors.ts';
import { blobsAt } from '../../model/document-blob.ts';
import { documentAt } from '../document-at.ts';
import { text } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optionally } from '../params.ts';

/** The bytes of the files that a property of the input holds. */
export const documentGetBlobsByProperty = operation({
  id: 'Document.GetBlobsByProperty',
  label: 'Get Document Files',
  category: 'Files',
  description: 'Answers the files that a property of the input document holds, in their order.',
  kind: 'query',
  takes: ['document'],
  gives: 'bloblist',
  params: { xpath: optionally(text, 'files:files', 'The property, a list as a rule.') },
  run: async (context, document, { xpath }) => {
    const row = await documentAt(context, document);
    const blobs = blobsAt(context.model, row, xpath);
    if (!blobs) throw new Invalid(`xpath: ${row.type} has no property ${xpath}`);
    return blobs.map((blob) => ({ ...blob, document: row }));
  },
});
