import { ensureFavorites } from '../../../store/authorities/user-workspaces.ts';
import { operation } from '../../operation.ts';

export const favoriteFetch = operation({
  id: 'Favorite.Fetch',
  label: 'Fetch favorites root collection',
  description: "Returns the collection of the caller's favorites, which is created on first use.",
  example: {},
  kind: 'mutation',
  gives: 'document',
  run: ensureFavorites,
});
