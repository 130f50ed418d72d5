import { updateDocument } from '../../store/update-document.ts';
import { anything, flag } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optionally, required } from '../params.ts';
import { propertyParams } from '../property-params.ts';
import { typedItem } from '../typed-properties.ts';

/** One value fewer in a list of the input. */
export const documentRemoveEntryOfMultivaluedProperty = operation({
  id: 'Document.RemoveEntryOfMultivaluedProperty',
  label: 'Remove Entry Of Multi-Valued Property',
  category: 'Document',
  description: 'Takes a value out of a list property of the input document, and answers it.',
  kind: 'mutation',
  takes: ['document'],
  isForEach: true,
  gives: 'document',
  params: {
    ...propertyParams,
    value: required(anything, 'The value; one that is not there changes nothing.'),
    isRemoveAll: optionally(flag, true, 'Whether it goes wherever it is; otherwise where it is first.', {
      aliases: ['is Remove All'],
    }),
  },
  run: async (context, document, { xpath, value, isRemoveAll }) =>
    updateDocument(context, document, {
      properties: { [xpath]: typedItem(context.model, xpath, value) },
      lists: { [xpath]: isRemoveAll ? 'remove' : 'removeFirst' },
    }),
});
