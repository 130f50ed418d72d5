import { maxPageSize } from '../../loaders/children.ts';
import { text } from '../kinds.ts';
import { operation } from '../operation.ts';
import { pageOf, pageParams } from '../paging.ts';
import { optionally } from '../params.ts';

/** Collections by title. */
export const userGetCollections = operation({
  id: 'User.GetCollections',
  aliases: ['Collection.GetCollections'],
  label: 'Get collections',
  category: 'Document',
  description: 'Answers the collections that the caller may read, by title.',
  kind: 'query',
  takes: ['void'],
  gives: 'page',
  params: { searchTerm: optionally(text, '', 'What the titles begin with, in any case.'), ...pageParams },
  run: async ({ load }, _, { searchTerm, ...params }) => {
    const page = pageOf(params);
    const pageSize = page.pageSize || maxPageSize;
    const { rows, total } = await load.findCollections({ prefix: searchTerm.trim(), ...page, pageSize });
    return { ...page, entries: rows, total, isSortable: false };
  },
});
