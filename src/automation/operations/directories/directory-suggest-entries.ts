import { servedDirectory } from '../../../loaders/directories/index.ts';
import { requireDirectoryAccess } from '../../../security/directories.ts';
import { suggestEntries, suggestionParams } from '../../directories/suggest-entries.ts';
import { operation } from '../../operation.ts';
import { directoryParam } from '../../params/shared-params.ts';

export const directorySuggestEntries = operation({
  id: 'Directory.SuggestEntries',
  label: 'Get Directory Entries',
  category: 'Services',
  description: 'Suggests entries of a directory whose label begins with the search term, as a tree in JSON.',
  example: { params: { directoryName: 'l10nsubjects', searchTerm: 'art' } },
  gives: 'json',
  params: { directoryName: directoryParam, ...suggestionParams },
  run: async (context, _, { directoryName, ...criteria }) => {
    const directory = servedDirectory(context.services.model, directoryName);
    requireDirectoryAccess(context.user, directory);
    return suggestEntries(context, directory, criteria);
  },
});
