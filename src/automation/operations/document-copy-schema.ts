import { Invalid } from '../../errors.ts';
import type { DocumentReference } from '../../store/lock-document.ts';
import { copySchema } from '../../store/schemas.ts';
import { referenceTo } from '../document-at.ts';
import { reference, text } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optional, required } from '../params.ts';
import { saveParam } from '../save-param.ts';

/** What is copied from. @throws Invalid when it is not named, or twice. */
function sourceOf({
  sourceId,
  sourcePath,
}: {
  sourceId?: string | undefined;
  sourcePath?: string | undefined;
}): DocumentReference {
  const sources = [sourceId, sourcePath].filter((source) => source !== undefined);
  const [source] = sources;
  if (source === undefined || sources.length > 1)
    throw new Invalid('sourceId, sourcePath: exactly one of them must be given');
  return referenceTo(source);
}

/** The input with what another document holds of a schema. */
export const documentCopySchema = operation({
  id: 'Document.CopySchema',
  label: 'Copy Schema',
  category: 'Document',
  description:
    'Copies the properties of a schema from another document to the input document, and answers it.',
  kind: 'mutation',
  takes: ['document'],
  isForEach: true,
  gives: 'document',
  params: {
    schema: required(text, 'The name of the schema; what the server keeps of it stays.'),
    sourceId: optional(reference, 'The other document, by its id.'),
    sourcePath: optional(reference, 'The other document, by its path.'),
    saveDocument: saveParam,
  },
  holds: (params) => ({ besides: [sourceOf(params)] }),
  run: async (context, document, params) =>
    copySchema(context, document, { name: params.schema, from: sourceOf(params) }),
});
