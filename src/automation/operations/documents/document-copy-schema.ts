import { Invalid } from '../../../errors.ts';
import type { DocumentReference } from '../../../model/document-reference.ts';
import { copySchema } from '../../../store/documents/schemas.ts';
import { newLetter } from '../../call-example.ts';
import { referenceTo } from '../../documents/document-at.ts';
import { documentMutation } from '../../operation.ts';
import { reference, text } from '../../params/kinds.ts';
import type { ParamValues } from '../../params/param.ts';
import { saveParam } from '../../params/shared-params.ts';

const params = {
  schema: text.required('The name of the schema. Properties that the server maintains are not changed.'),
  sourceId: reference.optional('The id of the other document.'),
  sourcePath: reference.optional('The path of the other document.'),
  saveDocument: saveParam,
};

/** @throws Invalid unless exactly one of the two parameters is set */
function sourceOf({ sourceId, sourcePath }: ParamValues<typeof params>): DocumentReference {
  const sources = [sourceId, sourcePath].filter((source) => source !== undefined);
  const [source] = sources;
  if (source === undefined || sources.length > 1)
    throw new Invalid('Exactly one of sourceId and sourcePath is required.');
  return referenceTo(source);
}

export const documentCopySchema = documentMutation({
  id: 'Document.CopySchema',
  label: 'Copy Schema',
  needs: 'WriteProperties',
  description:
    'Copies the properties of a schema from another document to the input document, and returns it.',
  example: {
    before: [newLetter],
    input: '{letter}',
    params: { schema: 'dublincore', sourcePath: '/default-domain/workspaces/report' },
  },
  params,
  locks: (given) => ({ additional: [sourceOf(given)] }),
  run: async (context, document, given) =>
    copySchema(context, document, { name: given.schema, from: sourceOf(given) }),
});
