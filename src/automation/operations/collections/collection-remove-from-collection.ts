import { removeFromCollection } from '../../../store/collections/collections.ts';
import { letterInCollection } from '../../call-example.ts';
import { referenceTo } from '../../documents/document-at.ts';
import { documentsMutation } from '../../operation.ts';
import { reference } from '../../params/kinds.ts';

export const collectionRemoveFromCollection = documentsMutation({
  id: 'Collection.RemoveFromCollection',
  aliases: ['Document.RemoveFromCollection'],
  label: 'Remove from collection',
  description: 'Removes the input documents from a collection, and returns them.',
  example: {
    before: letterInCollection,
    input: '{letter}',
    params: { collection: '{collection}' },
  },
  needs: 'Read',
  params: { collection: reference.required('The collection.') },
  run: async (context, documents, { collection }) => ({
    entries: await removeFromCollection(context, referenceTo(collection), documents),
  }),
});
