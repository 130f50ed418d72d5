import { deleteEntries, updateEntries } from '../../../store/directories/directory-entries.ts';
import { operation } from '../../operation.ts';
import { jsonIds } from '../../params/json-lists.ts';
import { flag } from '../../params/kinds.ts';
import { directoryParam } from '../../params/shared-params.ts';

export const directoryDeleteEntries = operation({
  id: 'Directory.DeleteEntries',
  label: 'Delete Directory Entries',
  category: 'Services',
  description:
    'Deletes entries of a directory, or marks them as obsolete, and returns their ids. If one fails, none is changed.',
  example: {
    before: [
      {
        call: 'Directory.CreateEntries',
        params: { directoryName: 'nature', entries: [{ id: 'leaflets', label: 'Leaflets' }] },
      },
    ],
    params: { directoryName: 'nature', entries: ['leaflets'] },
  },
  kind: 'mutation',
  gives: 'json',
  params: {
    directoryName: directoryParam,
    entries: jsonIds.required('At most 1000 ids: JSON, or a string that contains JSON.'),
    markObsolete: flag.withDefault(false, 'Whether entries are marked as obsolete instead of being deleted.'),
  },
  run: async (context, _, { directoryName: directory, entries, markObsolete }) => {
    const properties = { obsolete: 1 };
    const changes = entries.map((id) => ({ id, change: { id, properties } }));
    if (markObsolete) await updateEntries(context, directory, changes);
    else await deleteEntries(context, directory, entries);
    return entries;
  },
});
