import { liveIdOf } from '../../../loaders/documents/document-row.ts';
import { letterWithVersion } from '../../call-example.ts';
import { documentAt } from '../../documents/document-at.ts';
import { documentQuery } from '../../operation.ts';

export const documentGetLastVersion = documentQuery({
  id: 'Document.GetLastVersion',
  label: 'Get Last Version',
  description: 'Returns the latest version of the input document, if there is one.',
  example: {
    before: letterWithVersion,
    input: '{letter}',
  },
  run: async (context, document) => {
    const row = await documentAt(context, document);
    const { rows } = await context.load.latestVersions(liveIdOf(row), { pageSize: 1, offset: 0 });
    return rows[0] ?? null;
  },
});
