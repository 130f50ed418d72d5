import { addToCollection } from '../../../store/collections/collections.ts';
import { newCollection } from '../../call-example.ts';
import { referenceTo } from '../../documents/document-at.ts';
import { documentsMutation } from '../../operation.ts';
import { reference } from '../../params/kinds.ts';

export const documentAddToCollection = documentsMutation({
  id: 'Document.AddToCollection',
  aliases: ['Collection.AddToCollection'],
  label: 'Add to collection',
  description: 'Adds the input documents to the end of a collection, and returns them.',
  example: {
    before: [newCollection],
    input: '/default-domain/workspaces/report',
    params: { collection: '{collection}' },
  },
  needs: 'Read',
  params: { collection: reference.required('The collection.') },
  run: async (context, documents, { collection }) => ({
    entries: await addToCollection(context, referenceTo(collection), documents),
  }),
});
