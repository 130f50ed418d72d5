import { addToFavorites } from '../../store/collections.ts';
import { operation } from '../operation.ts';

/** The input as a favorite. */
export const documentAddToFavorites = operation({
  id: 'Document.AddToFavorites',
  label: 'Add to favorites',
  category: 'Document',
  description: 'Makes the input documents favorites of the caller, and answers them.',
  kind: 'mutation',
  takes: ['documents'],
  isOneForOne: true,
  gives: 'documents',
  params: {},
  run: async (context, documents) => ({ entries: await addToFavorites(context, documents) }),
});
