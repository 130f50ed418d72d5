import type { DocumentRow } from '../../../loaders/documents/document-row.ts';
import { maxPageSize } from '../../../loaders/lists/page.ts';
import { newCollection } from '../../call-example.ts';
import { operation } from '../../operation.ts';
import { integer, shortText } from '../../params/kinds.ts';

/** The id prefix by which clients recognize the suggestion to create a new collection. */
const newPrefix = '-999999';

const titleOf = ({ properties, name }: DocumentRow): string => String(properties['dc:title'] ?? name);

const toSuggestion = (collection: DocumentRow) => ({
  id: collection.id,
  displayLabel: titleOf(collection),
  path: collection.path,
  ...(collection.properties['common:icon'] && { icon: collection.properties['common:icon'] }),
});

export const collectionSuggestion = operation({
  id: 'Collection.Suggestion',
  label: 'Get collection suggestion',
  description:
    'Suggests collections whose title begins with the search term, as JSON. If no collection has exactly that title, the first suggestion is to create one.',
  example: {
    before: [newCollection],
    params: { searchTerm: 'rea' },
  },
  gives: 'json',
  params: {
    searchTerm: shortText.withDefault('', 'The beginning of the titles. Case is ignored.'),
    pageSize: integer.withDefault(20, 'The maximum number of collections: 1 to 1000.'),
  },
  run: async ({ load }, _, { searchTerm, pageSize }) => {
    const term = searchTerm.trim();
    const limit = Math.min(Math.max(pageSize, 1), maxPageSize);
    const { rows } = await load.findCollections({ prefix: term, pageSize: limit, offset: 0 });
    const isNew = term !== '' && !rows.some((row) => titleOf(row) === term);
    return [...(isNew ? [{ id: `${newPrefix}${term}`, displayLabel: term }] : []), ...rows.map(toSuggestion)];
  },
});
