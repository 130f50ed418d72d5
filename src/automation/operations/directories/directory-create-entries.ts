import { createEntries } from '../../../store/directories/directory-entries.ts';
import { operation } from '../../operation.ts';
import { jsonRecords } from '../../params/json-lists.ts';
import { directoryParam } from '../../params/shared-params.ts';

export const directoryCreateEntries = operation({
  id: 'Directory.CreateEntries',
  label: 'Create Directory Entries',
  category: 'Services',
  description: 'Creates entries in a directory, and returns their ids. If one fails, none is created.',
  example: { params: { directoryName: 'nature', entries: [{ id: 'poster', label: 'Poster' }] } },
  kind: 'mutation',
  gives: 'json',
  params: {
    directoryName: directoryParam,
    entries: jsonRecords.required(
      'At most 1000 objects, each with the fields of an entry: JSON, or a string that contains JSON.',
    ),
  },
  run: async (context, _, { directoryName, entries }) => {
    const bodies = entries.map((properties) => ({ properties }));
    return (await createEntries(context, directoryName, bodies)).map(({ id }) => id);
  },
});
