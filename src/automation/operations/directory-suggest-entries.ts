import { servedDirectory } from '../../directories/index.ts';
import { requireDirectorySight } from '../../security/directories.ts';
import { languageOf } from '../entry-labels.ts';
import { flag, text, whole } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optional, optionally, required } from '../params.ts';
import { suggestEntries } from '../suggest-entries.ts';

/** Entries of a vocabulary for somebody who types. */
export const directorySuggestEntries = operation({
  id: 'Directory.SuggestEntries',
  label: 'Get Directory Entries',
  category: 'Services',
  description:
    'Answers entries of a directory whose label begins with a text, as a tree of JSON for lists of choice.',
  kind: 'query',
  takes: ['void'],
  gives: 'json',
  params: {
    directoryName: required(text, 'The directory.'),
    searchTerm: optionally(text, '', 'What the label begins with.', { aliases: ['prefix'] }),
    localize: optionally(flag, false, 'Whether labels that are keys become their texts.'),
    lang: optional(text, 'The language of labels; else that of the request.'),
    dbl10n: optionally(flag, false, 'Whether labels are by language: the directory tells.'),
    labelFieldName: optionally(text, 'label', 'The field of the label.'),
    canSelectParent: optionally(flag, false, 'Whether an entry with others in it can be chosen.'),
    filterParent: optionally(flag, false, 'Whether entries with others in them are searched too.'),
    keySeparator: optionally(text, '/', 'What stands between the ids of a computedId.'),
    absoluteLabelSeparator: optionally(text, '/', 'What stands between the labels of an absoluteLabel.'),
    displayObsoleteEntries: optionally(flag, false, 'Whether obsolete entries are there.'),
    limit: optionally(whole, -1, 'The most entries that are found; below 1 any number.'),
    contains: optionally(flag, false, 'Whether the label may have the text anywhere.'),
    caseSensitive: optionally(flag, false, 'Whether upper and lower case differ.'),
  },
  run: async (context, _, { directoryName, lang, ...wish }) => {
    const { directory } = servedDirectory(context, directoryName);
    requireDirectorySight(context.user, directory);
    return suggestEntries(context, directory, {
      ...wish,
      language: languageOf(context, lang),
    });
  },
});
