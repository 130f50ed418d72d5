import { maxPageSize } from '../../loaders/children.ts';
import type { DocumentRow } from '../../loaders/document-row.ts';
import { text, whole } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optionally } from '../params.ts';

/** What the id of a collection begins with that there is not yet. */
const unmade = '-999999';

const titleOf = ({ properties, name }: DocumentRow): string => String(properties['dc:title'] ?? name);

const shown = (collection: DocumentRow) => ({
  id: collection.id,
  displayLabel: titleOf(collection),
  path: collection.path,
  ...(collection.properties['common:icon'] && { icon: collection.properties['common:icon'] }),
});

/** Collections for somebody who types. */
export const collectionSuggestion = operation({
  id: 'Collection.Suggestion',
  label: 'Get collection suggestion',
  category: 'Document',
  description:
    'Answers collections whose title begins with a text, as JSON for lists of choice; first, where none has that title, one that could be made.',
  kind: 'query',
  takes: ['void'],
  gives: 'json',
  params: {
    searchTerm: optionally(text, '', 'What the titles begin with, in any case.'),
    pageSize: optionally(whole, 20, 'The most collections: 1 to 1000.'),
  },
  run: async ({ load }, _, { searchTerm, pageSize }) => {
    const term = searchTerm.trim();
    const most = Math.min(Math.max(pageSize, 1), maxPageSize);
    const { rows } = await load.findCollections({ prefix: term, pageSize: most, offset: 0 });
    const isNew = term !== '' && !rows.some((row) => titleOf(row) === term);
    return [...(isNew ? [{ id: `${unmade}${term}`, displayLabel: term }] : []), ...rows.map(shown)];
  },
});
