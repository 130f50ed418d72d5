import { readPage } from '../../../loaders/lists/page.ts';
import { shownPage } from '../../../loaders/lists/page-loader.ts';
import { findFavorites } from '../../../store/authorities/user-workspaces.ts';
import { operation } from '../../operation.ts';
import { pageParams } from '../../params/shared-params.ts';

export const favoriteGetDocuments = operation({
  id: 'Favorite.GetDocuments',
  label: 'Get documents from favorites',
  description: "Returns the caller's favorites in the order of the collection, except those in the trash.",
  example: { before: [{ call: 'Document.AddToFavorites', input: '/default-domain/workspaces/report' }] },
  gives: 'page',
  params: pageParams,
  run: async (context, _, params) => {
    const page = readPage(params);
    const known = await findFavorites(context);
    const found = known ? await context.load.members(known.id, page) : { rows: [], total: 0 };
    return { ...shownPage(page, found), isSortable: false };
  },
});
