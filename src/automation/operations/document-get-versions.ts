import { maxPageSize } from '../../loaders/children.ts';
import { liveIdOf } from '../../loaders/document-row.ts';
import { documentAt } from '../document-at.ts';
import { operation } from '../operation.ts';

/** The history of the input (§11). */
export const documentGetVersions = operation({
  id: 'Document.GetVersions',
  label: 'Get Versions',
  category: 'Document',
  description: 'Answers the versions of the input document, the first one first: the last 1000 at most.',
  kind: 'query',
  takes: ['document'],
  gives: 'documents',
  params: {},
  run: async (context, document) => {
    const row = await documentAt(context, document);
    const page = { pageSize: maxPageSize, offset: 0 };
    const { rows, total } = await context.load.versions(liveIdOf(row), page);
    return { entries: rows.toReversed(), ...(total > rows.length && { resultsCount: total }) };
  },
});
