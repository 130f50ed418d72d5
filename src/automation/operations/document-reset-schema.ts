import { Invalid } from '../../errors.ts';
import { resetSchema } from '../../store/schemas.ts';
import { updateDocument } from '../../store/update-document.ts';
import { text } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optional } from '../params.ts';
import { saveParam } from '../save-param.ts';

/** The input as if nobody had filled in a schema. */
export const documentResetSchema = operation({
  id: 'Document.ResetSchema',
  label: 'Reset Schema',
  category: 'Document',
  description: 'Gives a schema of the input document the values of a new one, and answers it.',
  kind: 'mutation',
  takes: ['document'],
  isForEach: true,
  gives: 'document',
  params: {
    schema: optional(text, 'The name of the schema; what the server keeps of it stays.'),
    xpath: optional(
      text,
      'One property, or a place within one, which is cleared alone; counts before the schema.',
    ),
    saveDocument: saveParam,
  },
  run: async (context, document, { schema, xpath }) => {
    if (xpath !== undefined) return updateDocument(context, document, { properties: { [xpath]: null } });
    if (schema === undefined) throw new Invalid('schema, xpath: one of them must be given');
    return resetSchema(context, document, schema);
  },
});
