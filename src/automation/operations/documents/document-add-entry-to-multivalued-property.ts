import { updateDocument } from '../../../store/documents/update-document.ts';
import { newLetter } from '../../call-example.ts';
import { documentMutation } from '../../operation.ts';
import { flag, propertyValue } from '../../params/kinds.ts';
import { propertyParams } from '../../params/shared-params.ts';
import { typedItem } from '../../params/typed-properties.ts';

export const documentAddEntryToMultivaluedProperty = documentMutation({
  id: 'Document.AddEntryToMultivaluedProperty',
  label: 'Add Entry Into Multi-Valued Property',
  needs: 'WriteProperties',
  description: 'Appends a value to a list property of the input document, and returns the document.',
  example: { before: [newLetter], input: '{letter}', params: { xpath: 'dc:subjects', value: 'art' } },
  params: {
    ...propertyParams,
    value: propertyValue.required('The value.'),
    checkExists: flag.withDefault(true, 'Whether the value is skipped if the list already contains it.'),
  },
  run: async (context, document, { xpath, value, checkExists }) =>
    updateDocument(context, document, {
      properties: { [xpath]: typedItem(context.services.model, xpath, value) },
      listChanges: { [xpath]: checkExists ? 'join' : 'append' },
    }),
});
