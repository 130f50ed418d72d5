import { Invalid } from '../../errors.ts';
import { editableDirectory, updateEntries } from '../../store/directory-entries.ts';
import { records } from '../json-lists.ts';
import { text } from '../kinds.ts';
import { operation } from '../operation.ts';
import { required } from '../params.ts';

/** Other fields for entries of a directory. */
export const directoryUpdateEntries = operation({
  id: 'Directory.UpdateEntries',
  label: 'Update Directory Entries',
  category: 'Services',
  description: 'Changes fields of entries of a directory, all or none; answers their ids.',
  kind: 'mutation',
  takes: ['void'],
  gives: 'json',
  params: {
    directoryName: required(text, 'The directory.'),
    entries: required(
      records,
      'At most 1000 objects, each with the id and the fields that change; null clears: JSON, or a text of it.',
    ),
  },
  run: async (context, _, { directoryName, entries }) => {
    const { idField } = editableDirectory(context, directoryName).directory;
    const changes = entries.map((properties) => {
      const own = properties[idField];
      if (typeof own !== 'string' && typeof own !== 'number')
        throw new Invalid(`entries: each is named by its "${idField}"`);
      const id = String(own);
      return { id, change: { id, properties } };
    });
    await updateEntries(context, directoryName, changes);
    return changes.map(({ id }) => id);
  },
});
