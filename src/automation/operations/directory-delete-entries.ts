import { deleteEntry, editableDirectory, updateEntry } from '../../store/directory-entries.ts';
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
    editableDirectory(context, directory);
    const properties = { obsolete: 1 };
    for (const id of entries) {
      if (markObsolete) await updateEntry(context, { directory, id }, { id, properties });
      else await deleteEntry(context, { directory, id });
    }
    return entries;
  },
});
