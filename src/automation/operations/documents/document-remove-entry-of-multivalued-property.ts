import { updateDocument } from '../../../store/documents/update-document.ts';
import { newLetter } from '../../call-example.ts';
import { documentMutation } from '../../operation.ts';
import { flag, propertyValue } from '../../params/kinds.ts';
import { propertyParams } from '../../params/shared-params.ts';
import { typedItem } from '../../params/typed-properties.ts';

export const documentRemoveEntryOfMultivaluedProperty = documentMutation({
  id: 'Document.RemoveEntryOfMultivaluedProperty',
  label: 'Remove Entry Of Multi-Valued Property',
  needs: 'WriteProperties',
  description: 'Removes a value from a list property of the input document, and returns the document.',
  example: {
    before: [
      newLetter,
      {
        call: 'Document.Update',
        input: '{letter}',
        params: { properties: { 'dc:subjects': ['art', 'sciences'] } },
      },
    ],
    input: '{letter}',
    params: { xpath: 'dc:subjects', value: 'art' },
  },
  params: {
    ...propertyParams,
    value: propertyValue.required('The value. If the list does not contain it, nothing changes.'),
    'is Remove All': flag.withDefault(true, 'Whether every occurrence is removed, or only the first one.', {
      aliases: ['isRemoveAll'],
    }),
  },
  run: async (context, document, { xpath, value, 'is Remove All': isRemoveAll }) =>
    updateDocument(context, document, {
      properties: { [xpath]: typedItem(context.services.model, xpath, value) },
      listChanges: { [xpath]: isRemoveAll ? 'remove' : 'removeFirst' },
    }),
});
