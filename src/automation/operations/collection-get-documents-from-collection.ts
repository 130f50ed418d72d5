import { Invalid } from '../../errors.ts';
import { facetsOf } from '../../model/facets-of.ts';
import { documentAt } from '../document-at.ts';
import { operation } from '../operation.ts';
import { pageOf, pageParams } from '../paging.ts';

/** What is in a collection. */
export const collectionGetDocumentsFromCollection = operation({
  id: 'Collection.GetDocumentsFromCollection',
  label: 'Get documents from collection',
  category: 'Document',
  description: 'Answers the documents of the input collection in their order, without trashed ones.',
  kind: 'query',
  takes: ['document'],
  gives: 'page',
  params: pageParams,
  run: async (context, reference, params) => {
    const page = pageOf(params);
    const collection = await documentAt(context, reference);
    if (!facetsOf(context.model, collection).includes('Collection')) {
      throw new Invalid(`${collection.id} is no collection`);
    }
    const { rows, total } = await context.load.members(collection.id, page);
    return { ...page, entries: rows, total, isSortable: false };
  },
});
