import { updateDocument } from '../../store/update-document.ts';
import { anything, flag } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optionally, required } from '../params.ts';
import { propertyParams } from '../property-params.ts';
import { typedItem } from '../typed-properties.ts';

/** One more value in a list of the input. */
export const documentAddEntryToMultivaluedProperty = operation({
  id: 'Document.AddEntryToMultivaluedProperty',
  label: 'Add Entry Into Multi-Valued Property',
  category: 'Document',
  description: 'Puts a value behind those of a list property of the input document, and answers it.',
  kind: 'mutation',
  takes: ['document'],
  isForEach: true,
  gives: 'document',
  params: {
    ...propertyParams,
    value: required(anything, 'The value.'),
    checkExists: optionally(flag, true, 'Whether a value that is there already is not put there again.'),
  },
  run: async (context, document, { xpath, value, checkExists }) =>
    updateDocument(context, document, {
      properties: { [xpath]: typedItem(context.model, xpath, value) },
      lists: { [xpath]: checkExists ? 'join' : 'append' },
    }),
});
