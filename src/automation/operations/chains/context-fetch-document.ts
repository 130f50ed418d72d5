import { documentAt } from '../../documents/document-at.ts';
import { operation } from '../../operation.ts';

export const contextFetchDocument = operation({
  id: 'Context.FetchDocument',
  label: 'Context Document',
  category: 'Fetch',
  description: 'Returns the current state of the input document.',
  example: { input: '/default-domain/workspaces/report' },
  takes: ['document'],
  needs: 'Read',
  gives: 'document',
  run: (context, document) => documentAt(context, document),
});
