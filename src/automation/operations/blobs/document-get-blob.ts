import { blobAt, textBlob } from '../../../model/values/document-blob.ts';
import { documentAt } from '../../documents/document-at.ts';
import { operation } from '../../operation.ts';
import { text } from '../../params/kinds.ts';

export const documentGetBlob = operation({
  id: 'Document.GetBlob',
  aliases: ['Blob.Get'],
  label: 'Get Document File',
  category: 'Files',
  description:
    'Returns a file of the input document. If there is no file at xpath, it returns the main file or, if there is none, an empty file.',
  example: { input: '/default-domain/workspaces/report', params: { xpath: 'file:content' } },
  takes: ['document'],
  needs: 'Read',
  isForEach: true,
  gives: 'blob',
  params: { xpath: text.withDefault('file:content', 'The location of the file.') },
  run: async (context, document, { xpath }) => {
    const row = await documentAt(context, document);
    const { model } = context.services;
    const empty = () => textBlob(`${row.name}.null`, 'application/octet-stream', '');
    const blob = blobAt(model, row, xpath) ?? blobAt(model, row, '') ?? empty();
    return { ...blob, document: row };
  },
});
