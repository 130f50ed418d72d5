import { favorites } from '../../store/user-workspaces.ts';
import { operation } from '../operation.ts';

/** The collection of the caller's favorites. */
export const favoriteFetch = operation({
  id: 'Favorite.Fetch',
  label: 'Fetch favorites root collection',
  category: 'Document',
  description: "Answers the collection of the caller's favorites, which is made when it is not there yet.",
  kind: 'mutation',
  takes: ['void'],
  gives: 'document',
  params: {},
  run: async (context) => favorites(context),
});
