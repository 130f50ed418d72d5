import { addToCollection } from '../../store/collections.ts';
import { referenceTo } from '../document-at.ts';
import { reference } from '../kinds.ts';
import { operation } from '../operation.ts';
import { required } from '../params.ts';

/** The input in one collection more. */
export const documentAddToCollection = operation({
  id: 'Document.AddToCollection',
  aliases: ['Collection.AddToCollection'],
  label: 'Add to collection',
  category: 'Document',
  description: 'Puts the input documents at the end of a collection, and answers them.',
  kind: 'mutation',
  takes: ['documents'],
  isOneForOne: true,
  gives: 'documents',
  params: { collection: required(reference, 'The collection.') },
  run: async (context, documents, { collection }) => ({
    entries: await addToCollection(context, referenceTo(collection), documents),
  }),
});
