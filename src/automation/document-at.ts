import type { Context } from '../context.ts';
import { Invalid, NotFound } from '../errors.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import { addressOf, type DocumentReference } from '../store/lock-document.ts';

/** A document by what names it: a path begins with a slash. @throws Invalid when nothing does. */
export function referenceTo(name: string): DocumentReference {
  if (name === '') throw new Invalid('a document is named by its id or its path');
  return name.startsWith('/') ? { path: name } : { id: name };
}

/** The document of a reference, read with others of the same tick. @throws NotFound, Forbidden */
export async function documentAt({ load }: Context, reference: DocumentReference): Promise<DocumentRow> {
  const { by, value } = addressOf(reference);
  const found = await (by === 'id' ? load.documentById : load.documentByPath).load(value);
  if (!found) throw new NotFound(value);
  return found;
}
