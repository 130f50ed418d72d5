import { readPermissionFor } from '../acls/access.ts';
import type { Context } from '../context.ts';
import type { DocumentRow } from './document-row.ts';

/** Returns a document, or null if it does not exist or the caller cannot read it. */
export async function readableDocument(
  { load }: Pick<Context, 'load'>,
  id: string,
): Promise<DocumentRow | null> {
  const row = await load.documentById.load(id).catch(() => null); // The caller may lack the permission to read it.
  return row && (await load.access.may(row, readPermissionFor(row))) ? row : null;
}
