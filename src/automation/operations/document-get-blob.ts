import { blobAt, textBlob } from '../../model/document-blob.ts';
import { documentAt } from '../document-at.ts';
import { text } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optionally } from '../params.ts';

/** The bytes of the input (§4.7). */
export const documentGetBlob = operation({
  id: 'Document.GetBlob',
  aliases: ['Blob.Get'],
  label: 'Get Document File',
  category: 'Files',
  description: 'Answers a file of the input document, else its main file, else an empty one.',
  kind: 'query',
  takes: ['document'],
  isForEach: true,
  gives: 'blob',
  params: { xpath: optionally(text, 'file:content', 'Where the file is.') },
  run: async (context, document, { xpath }) => {
    const row = await documentAt(context, document);
    const { model } = context;
    const empty = () => textBlob(`${row.name}.null`, 'application/octet-stream', '');
    const blob = blobAt(model, row, xpath) ?? blobAt(model, row, '') ?? empty();
    return { ...blob, document: row };
  },
});
