import { NotFound } from '../../errors.ts';
import { documentAt } from '../document-at.ts';
import { operation } from '../operation.ts';

/** What is behind the input (§11). */
export const proxyGetSourceDocument = operation({
  id: 'Proxy.GetSourceDocument',
  aliases: ['GetLiveDocument'],
  label: 'Get Live Document',
  category: 'Fetch',
  description:
    'Answers the document that the input, a proxy or a version, shows a state of; any other as it is.',
  kind: 'query',
  takes: ['document'],
  isForEach: true,
  gives: 'document',
  params: {},
  run: async (context, document) => {
    const row = await documentAt(context, document);
    if (row.liveId === null) return row;
    const live = await context.load.documentById.load(row.liveId);
    if (!live) throw new NotFound(row.liveId);
    return live;
  },
});
