import { Invalid } from '../../../errors.ts';
import { editableDirectory, updateEntries } from '../../../store/directories/directory-entries.ts';
import { operation } from '../../operation.ts';
import { jsonRecords } from '../../params/json-lists.ts';
import { directoryParam } from '../../params/shared-params.ts';

export const directoryUpdateEntries = operation({
  id: 'Directory.UpdateEntries',
  label: 'Update Directory Entries',
  category: 'Services',
  description:
    'Changes fields of directory entries, and returns the ids of the entries. If one fails, none is changed.',
  example: {
    before: [
      {
        call: 'Directory.CreateEntries',
        params: { directoryName: 'nature', entries: [{ id: 'placard', label: 'Placard' }] },
      },
    ],
    params: { directoryName: 'nature', entries: [{ id: 'placard', label: 'A placard' }] },
  },
  kind: 'mutation',
  gives: 'json',
  params: {
    directoryName: directoryParam,
    entries: jsonRecords.required(
      'At most 1000 objects, each with the id and the fields to change (null clears a field): JSON, or a string that contains JSON.',
    ),
  },
  run: async (context, _, { directoryName, entries }) => {
    const { idField } = editableDirectory(context, directoryName);
    const changes = entries.map((properties) => {
      const own = properties[idField];
      if (typeof own !== 'string' && typeof own !== 'number')
        throw new Invalid(`entries: each entry must contain its "${idField}".`);
      const id = String(own);
      return { id, change: { id, properties } };
    });
    await updateEntries(context, directoryName, changes);
    return changes.map(({ id }) => id);
  },
});
