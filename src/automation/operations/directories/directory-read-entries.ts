import { servedDirectory } from '../../../loaders/directories/index.ts';
import type { StoredEntry } from '../../../loaders/directories/source.ts';
import { requireDirectoryAccess } from '../../../security/directories.ts';
import { labelParams, renderEntries } from '../../directories/entry-labels.ts';
import { operation } from '../../operation.ts';
import { jsonIds } from '../../params/json-lists.ts';
import { directoryParam } from '../../params/shared-params.ts';

export const directoryReadEntries = operation({
  id: 'Directory.ReadEntries',
  label: 'Reads Directory Entries',
  category: 'Services',
  description:
    'Returns entries of a directory in the order of the given ids. Ids that do not exist are skipped.',
  example: { params: { directoryName: 'nature', entries: ['article', 'memo'] } },
  gives: 'json',
  params: {
    directoryName: directoryParam,
    entries: jsonIds.required('At most 1000 ids: JSON, or a string that contains JSON.'),
    ...labelParams,
  },
  run: async (context, _, { directoryName, entries, ...labels }) => {
    const directory = servedDirectory(context.services.model, directoryName);
    requireDirectoryAccess(context.user, directory);
    const keys = entries.map((id) => ({ directory: directory.name, id }));
    const found = await Promise.all(keys.map((key) => context.load.directoryEntryByKey.load(key)));
    const there = found.filter((entry): entry is StoredEntry => entry !== null);
    return renderEntries(context, directory, there, labels);
  },
});
