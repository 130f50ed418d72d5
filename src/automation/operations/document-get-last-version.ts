import { liveIdOf } from '../../loaders/document-row.ts';
import { documentAt } from '../document-at.ts';
import { operation } from '../operation.ts';

/** What the input was checked in as last (§11). */
export const documentGetLastVersion = operation({
  id: 'Document.GetLastVersion',
  label: 'Get Last Version',
  category: 'Document',
  description: 'Answers the version of the input document that was made last; nothing when there is none.',
  kind: 'query',
  takes: ['document'],
  isForEach: true,
  gives: 'document',
  params: {},
  run: async (context, document) => {
    const row = await documentAt(context, document);
    const { rows } = await context.load.latestVersions(liveIdOf(row), { pageSize: 1, offset: 0 });
    return rows[0] ?? null;
  },
});
