import { Invalid } from '../../../errors.ts';
import { readPage } from '../../../loaders/lists/page.ts';
import { shownPage } from '../../../loaders/lists/page-loader.ts';
import { facetsOf } from '../../../model/facets-of.ts';
import { letterInCollection } from '../../call-example.ts';
import { documentAt } from '../../documents/document-at.ts';
import { operation } from '../../operation.ts';
import { pageParams } from '../../params/shared-params.ts';

export const collectionGetDocumentsFromCollection = operation({
  id: 'Collection.GetDocumentsFromCollection',
  label: 'Get documents from collection',
  description:
    'Returns the documents of the input collection in the order of the collection, except those in the trash.',
  example: {
    before: letterInCollection,
    input: '{collection}',
  },
  takes: ['document'],
  needs: 'Read',
  gives: 'page',
  params: pageParams,
  run: async (context, reference, params) => {
    const page = readPage(params);
    const collection = await documentAt(context, reference);
    if (!facetsOf(context.services.model, collection).includes('Collection')) {
      throw new Invalid(`${collection.id} is not a collection.`);
    }
    return { ...shownPage(page, await context.load.members(collection.id, page)), isSortable: false };
  },
});
