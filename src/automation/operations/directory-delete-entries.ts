import { deleteEntries, updateEntries } from '../../store/directory-entries.ts';
import { ids } from '../json-lists.ts';
import { flag, text } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optionally, required } from '../params.ts';

/** Entries are in a directory no longer, or are not to be chosen any more. */
export const directoryDeleteEntries = operation({
  id: 'Directory.DeleteEntries',
  label: 'Delete Directory Entries',
  category: 'Services',
  description: 'Takes entries out of a directory, or makes them obsolete, all or none; answers their ids.',
  kind: 'mutation',
  takes: ['void'],
  gives: 'json',
  params: {
    directoryName: required(text, 'The directory.'),
    entries: required(ids, 'At most 1000 ids: JSON, or a text of it.'),
    markObsolete: optionally(flag, false, 'Whether the entries stay, and are obsolete.'),
  },
  run: async (context, _, { directoryName: directory, entries, markObsolete }) => {
    const properties = { obsolete: 1 };
    const changes = entries.map((id) => ({ id, change: { id, properties } }));
    if (markObsolete) await updateEntries(context, directory, changes);
    else await deleteEntries(context, directory, entries);
    return entries;
  },
});
