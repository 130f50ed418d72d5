import { readPage } from '../../../loaders/lists/page.ts';
import { shownPage } from '../../../loaders/lists/page-loader.ts';
import { operation } from '../../operation.ts';
import { shortText } from '../../params/kinds.ts';
import { pageParams } from '../../params/shared-params.ts';

export const userGetCollections = operation({
  id: 'User.GetCollections',
  aliases: ['Collection.GetCollections'],
  label: 'Get collections',
  description: 'Returns the collections that the caller can read, ordered by title.',
  example: { params: { searchTerm: 'rea' } },
  gives: 'page',
  params: {
    searchTerm: shortText.withDefault('', 'The beginning of the titles. Case is ignored.'),
    ...pageParams,
  },
  run: async ({ load }, _, { searchTerm, ...params }) => {
    const page = readPage(params);
    const { pageSize, offset, cursor } = page;
    const found = await load.findCollections({ prefix: searchTerm.trim(), pageSize, offset, cursor });
    return { ...shownPage(page, found), isSortable: false };
  },
});
