import { Invalid } from '../../../errors.ts';
import { resetSchema } from '../../../store/documents/schemas.ts';
import { updateDocument } from '../../../store/documents/update-document.ts';
import { newLetter } from '../../call-example.ts';
import { documentMutation } from '../../operation.ts';
import { text } from '../../params/kinds.ts';
import { saveParam } from '../../params/shared-params.ts';

export const documentResetSchema = documentMutation({
  id: 'Document.ResetSchema',
  label: 'Reset Schema',
  needs: 'WriteProperties',
  description:
    'Resets the properties of a schema of the input document to the values they have in a new document, and returns the document.',
  example: { before: [newLetter], input: '{letter}', params: { schema: 'dublincore' } },
  params: {
    schema: text.optional('The name of the schema. Properties that the server maintains are not changed.'),
    xpath: text.optional(
      'A single property, or a location within one, to clear. If present, schema is ignored.',
    ),
    saveDocument: saveParam,
  },
  run: async (context, document, { schema, xpath }) => {
    if (xpath !== undefined) return updateDocument(context, document, { properties: { [xpath]: null } });
    if (schema === undefined) throw new Invalid('Either schema or xpath is required.');
    return resetSchema(context, document, schema);
  },
});
