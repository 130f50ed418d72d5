import { removeFromCollection } from '../../store/collections.ts';
import { referenceTo } from '../document-at.ts';
import { reference } from '../kinds.ts';
import { operation } from '../operation.ts';
import { required } from '../params.ts';

/** The input in one collection less. */
export const collectionRemoveFromCollection = operation({
  id: 'Collection.RemoveFromCollection',
  aliases: ['Document.RemoveFromCollection'],
  label: 'Remove from collection',
  category: 'Document',
  description: 'Takes the input documents out of a collection, and answers them.',
  kind: 'mutation',
  takes: ['documents'],
  isOneForOne: true,
  gives: 'documents',
  params: { collection: required(reference, 'The collection.') },
  run: async (context, documents, { collection }) => ({
    entries: await removeFromCollection(context, referenceTo(collection), documents),
  }),
});
