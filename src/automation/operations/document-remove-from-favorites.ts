import { removeFromFavorites } from '../../store/collections.ts';
import { operation } from '../operation.ts';

/** The input as a favorite no longer. */
export const documentRemoveFromFavorites = operation({
  id: 'Document.RemoveFromFavorites',
  label: 'Remove from favorites',
  category: 'Document',
  description: 'Makes the input documents favorites of the caller no longer, and answers them.',
  kind: 'mutation',
  takes: ['documents'],
  isOneForOne: true,
  gives: 'documents',
  params: {},
  run: async (context, documents) => ({ entries: await removeFromFavorites(context, documents) }),
});
