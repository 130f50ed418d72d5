import { servedDirectory } from '../../directories/index.ts';
import type { Entry } from '../../directories/source.ts';
import { requireDirectorySight } from '../../security/directories.ts';
import { labelParams, showEntries } from '../entry-labels.ts';
import { ids } from '../json-lists.ts';
import { text } from '../kinds.ts';
import { operation } from '../operation.ts';
import { required } from '../params.ts';

/** Some entries of a directory. */
export const directoryReadEntries = operation({
  id: 'Directory.ReadEntries',
  label: 'Reads Directory Entries',
  category: 'Services',
  description: 'Answers those of some entries of a directory that there are, in the order of the ids.',
  kind: 'query',
  takes: ['void'],
  gives: 'json',
  params: {
    directoryName: required(text, 'The directory.'),
    entries: required(ids, 'At most 1000 ids: JSON, or a text of it.'),
    ...labelParams,
  },
  run: async (context, _, { directoryName, entries, ...labels }) => {
    const { directory } = servedDirectory(context, directoryName);
    requireDirectorySight(context.user, directory);
    const keys = entries.map((id) => ({ directory: directory.name, id }));
    const found = await Promise.all(keys.map((key) => context.load.directoryEntry.load(key)));
    const there = found.filter((entry): entry is Entry => entry !== null);
    return showEntries(context, directory, there, labels);
  },
});
