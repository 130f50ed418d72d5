import { updateDocument } from '../../store/update-document.ts';
import { whole } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optional } from '../params.ts';
import { propertyParams } from '../property-params.ts';

/** Fewer items in a list of the input. */
export const documentRemoveItemFromListProperty = operation({
  id: 'Document.RemoveItemFromListProperty',
  label: 'Remove Item From List Property',
  category: 'Document',
  description: 'Takes an item, or all of them, out of a list property of the input document, and answers it.',
  kind: 'mutation',
  takes: ['document'],
  isForEach: true,
  gives: 'document',
  params: { ...propertyParams, index: optional(whole, 'Where the item is, from 0; without it all go.') },
  run: async (context, document, { xpath, index }) =>
    updateDocument(context, document, {
      properties: { [xpath]: [] },
      lists: { [xpath]: index ?? 'replace' },
    }),
});
