import { updateDocument } from '../../../store/documents/update-document.ts';
import { newLetter } from '../../call-example.ts';
import { documentMutation } from '../../operation.ts';
import { anything } from '../../params/kinds.ts';
import { propertyParams } from '../../params/shared-params.ts';
import { typedProperties } from '../../params/typed-properties.ts';

export const documentAddItemToListProperty = documentMutation({
  id: 'Document.AddItemToListProperty',
  label: 'Add Item To List Property',
  needs: 'WriteProperties',
  description: 'Appends items to a list property of the input document, and returns the document.',
  example: {
    before: [newLetter],
    input: '{letter}',
    params: {
      xpath: 'files:files',
      complexJsonProperties: [{ file: { name: 'notes.txt', content: 'Some notes.' } }],
    },
  },
  params: {
    ...propertyParams,
    complexJsonProperties: anything.required('The items: JSON, or a string that contains JSON.'),
  },
  run: async (context, document, { xpath, complexJsonProperties: given }) => {
    const items = typeof given === 'object' ? [given].flat() : given;
    return updateDocument(context, document, {
      properties: typedProperties(context.services.model, { [xpath]: items }),
      listChanges: { [xpath]: 'append' },
    });
  },
});
