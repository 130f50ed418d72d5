import { blobsOf } from '../../model/document-blob.ts';
import { documentAt } from '../document-at.ts';
import { operation } from '../operation.ts';

/** The bytes of all files of the input. */
export const documentGetBlobs = operation({
  id: 'Document.GetBlobs',
  label: 'Get All Document Files',
  category: 'Files',
  description: 'Answers all files of the input document, the main one first.',
  kind: 'query',
  takes: ['document'],
  gives: 'bloblist',
  params: {},
  run: async (context, document) => {
    const row = await documentAt(context, document);
    return blobsOf(context.model, row).map((blob) => ({ ...blob, document: row }));
  },
});
