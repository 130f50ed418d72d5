import { Invalid } from '../../errors.ts';
import { copySchema } from '../../store/schemas.ts';
import { referenceTo } from '../document-at.ts';
import { reference, text } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optional, required } from '../params.ts';
import { saveParam } from '../save-param.ts';

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
  run: async (context, document, { schema: name, sourceId, sourcePath }) => {
    const sources = [sourceId, sourcePath].filter((source) => source !== undefined);
    const [source] = sources;
    if (source === undefined || sources.length > 1)
      throw new Invalid('sourceId, sourcePath: exactly one of them must be given');
    return copySchema(context, document, { name, from: referenceTo(source) });
  },
});
