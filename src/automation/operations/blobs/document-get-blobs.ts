import { documentBlobs } from '../../../model/values/document-blob.ts';
import { documentAt } from '../../documents/document-at.ts';
import { operation } from '../../operation.ts';

export const documentGetBlobs = operation({
  id: 'Document.GetBlobs',
  label: 'Get All Document Files',
  category: 'Files',
  description: 'Returns all files of the input document, the main one first.',
  example: { input: '/default-domain/workspaces/report' },
  takes: ['document'],
  needs: 'Read',
  gives: 'bloblist',
  run: async (context, document) => {
    const row = await documentAt(context, document);
    return documentBlobs(context.services.model, row).map((blob) => ({ ...blob, document: row }));
  },
});
