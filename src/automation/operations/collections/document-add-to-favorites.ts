import { addToFavorites } from '../../../store/collections/collections.ts';
import { documentsMutation } from '../../operation.ts';

export const documentAddToFavorites = documentsMutation({
  id: 'Document.AddToFavorites',
  label: 'Add to favorites',
  description: "Adds the input documents to the caller's favorites, and returns them.",
  example: { input: '/default-domain/workspaces/report' },
  needs: 'Read',
  run: async (context, documents) => ({ entries: await addToFavorites(context, documents) }),
});
