import { createEntries } from '../../store/directory-entries.ts';
import { records } from '../json-lists.ts';
import { text } from '../kinds.ts';
import { operation } from '../operation.ts';
import { required } from '../params.ts';

/** More entries of a directory. */
export const directoryCreateEntries = operation({
  id: 'Directory.CreateEntries',
  label: 'Create Directory Entries',
  category: 'Services',
  description: 'Adds entries to a directory, all or none; answers their ids.',
  kind: 'mutation',
  takes: ['void'],
  gives: 'json',
  params: {
    directoryName: required(text, 'The directory.'),
    entries: required(
      records,
      'At most 1000 objects, each with the fields of an entry: JSON, or a text of it.',
    ),
  },
  run: async (context, _, { directoryName, entries }) => {
    const bodies = entries.map((properties) => ({ properties }));
    return (await createEntries(context, directoryName, bodies)).map(({ id }) => id);
  },
});
