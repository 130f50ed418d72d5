import { updateDocument } from '../../../store/documents/update-document.ts';
import { documentMutation } from '../../operation.ts';
import { propertyParams } from '../../params/shared-params.ts';

export const documentRemoveProperty = documentMutation({
  id: 'Document.RemoveProperty',
  label: 'Remove Property',
  description: 'Clears a property of the input document, and returns the document.',
  params: propertyParams,
  run: async (context, document, { xpath }) =>
    updateDocument(context, document, { properties: { [xpath]: null } }),
});
