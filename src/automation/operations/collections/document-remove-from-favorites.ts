import { removeFromFavorites } from '../../../store/collections/collections.ts';
import { documentsMutation } from '../../operation.ts';

export const documentRemoveFromFavorites = documentsMutation({
  id: 'Document.RemoveFromFavorites',
  label: 'Remove from favorites',
  description: "Removes the input documents from the caller's favorites, and returns them.",
  example: {
    before: [{ call: 'Document.AddToFavorites', input: '/default-domain/workspaces/report' }],
    input: '/default-domain/workspaces/report',
  },
  needs: 'Read',
  run: async (context, documents) => ({ entries: await removeFromFavorites(context, documents) }),
});
