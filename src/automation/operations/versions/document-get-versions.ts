import { liveIdOf } from '../../../loaders/documents/document-row.ts';
import { maxPageSize } from '../../../loaders/lists/page.ts';
import { letterWithVersion } from '../../call-example.ts';
import { documentAt } from '../../documents/document-at.ts';
import { operation } from '../../operation.ts';

export const documentGetVersions = operation({
  id: 'Document.GetVersions',
  label: 'Get Versions',
  description: 'Returns the latest 1000 versions of the input document, oldest first.',
  example: {
    before: letterWithVersion,
    input: '{letter}',
  },
  takes: ['document'],
  needs: 'Read',
  gives: 'documents',
  run: async (context, document) => {
    const row = await documentAt(context, document);
    const page = { pageSize: maxPageSize, offset: 0 };
    const { rows, total } = await context.load.versions(liveIdOf(row), page);
    return { entries: rows.toReversed(), ...(total > rows.length && { resultsCount: total }) };
  },
});
