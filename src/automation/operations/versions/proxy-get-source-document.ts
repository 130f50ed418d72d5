import { DocumentNotFound } from '../../../errors.ts';
import { publishedLetter } from '../../call-example.ts';
import { documentAt } from '../../documents/document-at.ts';
import { documentQuery } from '../../operation.ts';

export const proxyGetSourceDocument = documentQuery({
  id: 'Proxy.GetSourceDocument',
  aliases: ['GetLiveDocument'],
  label: 'Get Live Document',
  category: 'Fetch',
  description:
    'Returns the live document of the input proxy or version. Any other document is returned unchanged.',
  example: {
    before: publishedLetter,
    input: '{proxy}',
  },
  run: async (context, document) => {
    const row = await documentAt(context, document);
    if (row.liveId === null) return row;
    const live = await context.load.documentById.load(row.liveId);
    if (!live) throw new DocumentNotFound(row.liveId);
    return live;
  },
});
