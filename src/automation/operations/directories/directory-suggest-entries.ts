import { servedDirectory } from '../../../loaders/directories/index.ts';
import { requireDirectoryAccess } from '../../../security/directories.ts';
import { labelLanguage } from '../../directories/entry-labels.ts';
import { suggestEntries } from '../../directories/suggest-entries.ts';
import { operation } from '../../operation.ts';
import { flag, integer, text } from '../../params/kinds.ts';
import { directoryParam } from '../../params/shared-params.ts';

export const directorySuggestEntries = operation({
  id: 'Directory.SuggestEntries',
  label: 'Get Directory Entries',
  category: 'Services',
  description: 'Suggests entries of a directory whose label begins with a text, as a tree of JSON.',
  gives: 'json',
  params: {
    directoryName: directoryParam,
    searchTerm: text.withDefault('', 'The beginning of the label.', { aliases: ['prefix'] }),
    localize: flag.withDefault(false, 'Whether labels that are message keys are translated.'),
    lang: text.optional('The language of labels; that of the request when absent.'),
    dbl10n: flag.withDefault(false, 'Ignored: the directory defines whether labels depend on the language.'),
    labelFieldName: text.withDefault('label', 'The field of the label.'),
    canSelectParent: flag.withDefault(false, 'Whether entries with children can be selected.'),
    filterParent: flag.withDefault(false, 'Whether entries with children are searched too.'),
    keySeparator: text.withDefault('/', 'The separator of the ids in a computedId.'),
    absoluteLabelSeparator: text.withDefault('/', 'The separator of the labels in an absoluteLabel.'),
    displayObsoleteEntries: flag.withDefault(false, 'Whether obsolete entries are included.'),
    limit: integer.withDefault(-1, 'The maximum number of entries; below 1, any number.'),
    contains: flag.withDefault(false, 'Whether labels that contain the text are found too.'),
    caseSensitive: flag.withDefault(false, 'Whether upper and lower case are distinguished.'),
  },
  run: async (context, _, { directoryName, lang, ...criteria }) => {
    const directory = servedDirectory(context, directoryName);
    requireDirectoryAccess(context.user, directory);
    return suggestEntries(context, directory, {
      ...criteria,
      language: labelLanguage(context, lang),
    });
  },
});
