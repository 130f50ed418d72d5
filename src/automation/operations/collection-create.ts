import { createCollection } from '../../store/collections.ts';
import { text } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optional, required } from '../params.ts';

/** A new collection. */
export const collectionCreate = operation({
  id: 'Collection.Create',
  aliases: ['Collection.CreateCollection'],
  label: 'Create a collection',
  category: 'Document',
  description: 'Creates a collection in the input document, or among those of the caller, and answers it.',
  kind: 'mutation',
  takes: ['document', 'void'],
  gives: 'document',
  params: {
    name: required(text, 'Its title, and what it is called.'),
    description: optional(text, 'Words about it.'),
  },
  run: async (context, parent, wanted) => createCollection(context, parent, wanted),
});
