import { DocumentNotFound, Invalid } from '../../errors.ts';
import type { Context } from '../../loaders/context.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { type DocumentReference, referenceKey } from '../../model/document-reference.ts';

/**
 * @param name a path, which begins with a slash, or an id
 * @throws Invalid if it is empty
 */
export function referenceTo(name: string): DocumentReference {
  if (name === '') throw new Invalid('The id or path of the document must not be empty.');
  return name.startsWith('/') ? { path: name } : { id: name };
}

/**
 * Reads a document. All reads in the same tick of the event loop form one batch.
 * @throws NotFound, Forbidden
 */
export async function documentAt({ load }: Context, reference: DocumentReference): Promise<DocumentRow> {
  const { by, value } = referenceKey(reference);
  const found = await (by === 'id' ? load.documentById : load.documentByPath).load(value);
  if (!found) throw new DocumentNotFound(value);
  return found;
}
