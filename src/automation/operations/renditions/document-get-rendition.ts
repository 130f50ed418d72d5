import { makeRendition } from '../../../loaders/renditions/index.ts';
import { documentAt } from '../../documents/document-at.ts';
import { operation } from '../../operation.ts';
import { text } from '../../params/kinds.ts';

export const documentGetRendition = operation({
  id: 'Document.GetRendition',
  label: 'Gets a document rendition',
  category: 'Files',
  description: 'Returns a rendition of the input document, such as its thumbnail.',
  needsPrograms: true,
  example: { input: '/default-domain/workspaces/report', params: { renditionName: 'thumbnail' } },
  takes: ['document'],
  needs: 'Read',
  isForEach: true,
  gives: 'blob',
  params: { renditionName: text.required('The name of the rendition.') },
  run: async (context, document, { renditionName }) => {
    const row = await documentAt(context, document);
    return { ...(await makeRendition(context, row, renditionName)), document: row };
  },
});
