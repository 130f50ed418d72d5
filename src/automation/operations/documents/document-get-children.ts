import { maxPageSize } from '../../../loaders/lists/page.ts';
import { documentAt } from '../../documents/document-at.ts';
import { operation } from '../../operation.ts';

export const documentGetChildren = operation({
  id: 'Document.GetChildren',
  label: 'Get Children',
  description: 'Returns at most 1000 children of the input document, including hidden and trashed ones.',
  example: { input: '/default-domain/workspaces' },
  takes: ['document'],
  needs: 'Read',
  gives: 'documents',
  run: async (context, document) => {
    const row = await documentAt(context, document);
    const everything = { pageSize: maxPageSize, offset: 0, maxResults: undefined, sortBy: [], sortOrder: [] };
    const { rows, total, countLimit } = await context.load.children(row, {
      ...everything,
      isUnfiltered: true,
    });
    return { entries: rows, ...(total !== rows.length && { resultsCount: total, countLimit }) };
  },
});
