import { updateDocument } from '../../../store/documents/update-document.ts';
import { newLetter } from '../../call-example.ts';
import { documentMutation } from '../../operation.ts';
import { propertyParams } from '../../params/shared-params.ts';

export const documentRemoveProperty = documentMutation({
  id: 'Document.RemoveProperty',
  label: 'Remove Property',
  needs: 'WriteProperties',
  description: 'Clears a property of the input document, and returns the document.',
  example: { before: [newLetter], input: '{letter}', params: { xpath: 'dc:title' } },
  params: propertyParams,
  run: async (context, document, { xpath }) =>
    updateDocument(context, document, { properties: { [xpath]: null } }),
});
