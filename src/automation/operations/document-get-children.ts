import { maxPageSize } from '../../loaders/children.ts';
import { documentAt } from '../document-at.ts';
import { operation } from '../operation.ts';

/** Everything that is directly in the input. */
export const documentGetChildren = operation({
  id: 'Document.GetChildren',
  label: 'Get Children',
  category: 'Document',
  description: 'Answers the children of the input document, hidden and trashed ones too: at most 1000.',
  kind: 'query',
  takes: ['document'],
  gives: 'documents',
  params: {},
  run: async (context, document) => {
    const row = await documentAt(context, document);
    const everything = { pageSize: maxPageSize, offset: 0, maxResults: undefined, sortBy: [], sortOrder: [] };
    const { rows, total } = await context.load.children(row, { ...everything, isUnfiltered: true });
    return { entries: rows, ...(total > rows.length && { resultsCount: total }) };
  },
});
