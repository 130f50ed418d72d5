import { servedDirectory } from '../../../loaders/directories/index.ts';
import { labelParams, renderEntries } from '../../directories/entry-labels.ts';
import { operation } from '../../operation.ts';
import { directoryParam } from '../../params/shared-params.ts';

/** The maximum number of entries in a response. In practice, directories are smaller. */
const maxEntries = 10_000;

export const directoryEntriesOperation = operation({
  id: 'Directory.Entries',
  label: 'Directory Entries',
  category: 'Services',
  description:
    'Returns the entries of a directory in the order of the directory, at most 10,000. Only for administrators.',
  example: { params: { directoryName: 'nature' } },
  isForAdministrators: true,
  gives: 'json',
  params: { directoryName: directoryParam, ...labelParams },
  run: async (context, _, { directoryName, ...labels }) => {
    const directory = servedDirectory(context.services.model, directoryName);
    const page = { filter: {}, limit: maxEntries, offset: 0, after: undefined };
    const { entries } = await context.load.directoryEntryPages(directory.name, page);
    return renderEntries(context, directory, entries, labels);
  },
});
