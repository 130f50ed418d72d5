import { updateDocument } from '../../../store/documents/update-document.ts';
import { documentMutation } from '../../operation.ts';
import { propertyValue } from '../../params/kinds.ts';
import { propertyParams } from '../../params/shared-params.ts';
import { typedProperties } from '../../params/typed-properties.ts';

export const documentSetProperty = documentMutation({
  id: 'Document.SetProperty',
  label: 'Update Property',
  needs: 'WriteProperties',
  description: 'Changes a property of the input document, and returns the document.',
  example: {
    input: '/default-domain/workspaces/report',
    params: { xpath: 'dc:description', value: 'What was found' },
  },
  params: {
    ...propertyParams,
    value: propertyValue.optional('The new value; if absent, the property is cleared.'),
  },
  run: async (context, document, { xpath, value = null }) =>
    updateDocument(context, document, {
      properties: typedProperties(context.services.model, { [xpath]: value }),
    }),
});
