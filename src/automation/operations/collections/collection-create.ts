import { createCollection } from '../../../store/collections/collections.ts';
import { operation } from '../../operation.ts';
import { longText, text } from '../../params/kinds.ts';

export const collectionCreate = operation({
  id: 'Collection.Create',
  aliases: ['Collection.CreateCollection'],
  label: 'Create a collection',
  description:
    "Creates a collection in the input document or, without input, in the caller's own workspace, and returns it.",
  example: { input: '/default-domain/workspaces', params: { name: 'Selection' } },
  needs: 'AddChildren',
  kind: 'mutation',
  takes: ['document', 'void'],
  isForEach: true,
  gives: 'document',
  params: {
    name: text.required('The title and name of the collection.'),
    description: longText.optional('The description.'),
  },
  run: createCollection,
});
