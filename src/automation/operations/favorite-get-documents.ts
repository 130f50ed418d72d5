import { knownFavorites } from '../../store/user-workspaces.ts';
import { operation } from '../operation.ts';
import { pageOf, pageParams } from '../paging.ts';

/** The caller's favorites. */
export const favoriteGetDocuments = operation({
  id: 'Favorite.GetDocuments',
  label: 'Get documents from favorites',
  category: 'Document',
  description: 'Answers the favorites of the caller in their order, without trashed ones.',
  kind: 'query',
  takes: ['void'],
  gives: 'page',
  params: pageParams,
  run: async (context, _, params) => {
    const page = pageOf(params);
    const known = await knownFavorites(context);
    const { rows, total } = known ? await context.load.members(known.id, page) : { rows: [], total: 0 };
    return { ...page, entries: rows, total, isSortable: false };
  },
});
