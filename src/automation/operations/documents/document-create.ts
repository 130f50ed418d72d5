import { createDocument } from '../../../store/documents/create-document.ts';
import { documentMutation } from '../../operation.ts';
import { propertyMap, text } from '../../params/kinds.ts';
import { typedProperties } from '../../params/typed-properties.ts';

export const documentCreate = documentMutation({
  id: 'Document.Create',
  label: 'Create',
  needs: 'AddChildren',
  description: 'Creates a document in the input document, and returns it.',
  example: {
    input: '/default-domain/workspaces',
    params: { type: 'Note', name: 'minutes', properties: { 'dc:title': 'Minutes' } },
  },
  params: {
    type: text.required('The type of the new document.'),
    name: text.withDefault(
      'Untitled',
      'The name; if it is already taken, the time in milliseconds is appended.',
    ),
    properties: propertyMap.optional('Properties by xpath.'),
  },
  run: async (context, parent, { type, name, properties: given }) =>
    createDocument(context, parent, {
      type,
      name,
      properties: typedProperties(context.services.model, given),
      versioning: context.options.versioning,
    }),
});
