import { servedDirectory } from '../../directories/index.ts';
import { labelParams, showEntries } from '../entry-labels.ts';
import { text } from '../kinds.ts';
import { operation } from '../operation.ts';
import { required } from '../params.ts';

/** Entries that are answered: no vocabulary for people has more. */
const most = 10_000;

/** All entries of a directory. */
export const directoryEntries = operation({
  id: 'Directory.Entries',
  label: 'Directory Entries',
  category: 'Services',
  description: 'Answers the entries of a directory in their order, 10,000 at most; for administrators.',
  kind: 'query',
  isForAdministrators: true,
  takes: ['void'],
  gives: 'json',
  params: { directoryName: required(text, 'The directory.'), ...labelParams },
  run: async (context, _, { directoryName, ...labels }) => {
    const { directory } = servedDirectory(context, directoryName);
    const wish = { filter: {}, limit: most, offset: 0, after: undefined };
    const { entries } = await context.load.directoryEntries(directory.name, wish);
    return showEntries(context, directory, entries, labels);
  },
});
