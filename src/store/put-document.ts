import type { Query } from '../db/database.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import { documentName } from '../model/names.ts';
import type { Scope } from '../scope.ts';
import { createDocument, type NewDocument } from './create-document.ts';
import { type DocumentReference, holdDocument } from './lock-document.ts';
import { updateDocument } from './update-document.ts';

const query: Query = {
  name: 'child-called',
  text: `
    SELECT id FROM document
    WHERE repository = $1 AND parent_id = $2::uuid AND name = $3 AND type = $4 AND NOT is_proxy AND NOT is_trashed`,
};

/**
 * Creates a document below a parent.
 * @param overwrite whether one of the same name and type, where there is one, gets the properties instead.
 * @throws NotFound without the parent, Forbidden, Invalid, Unprocessable
 */
export async function putDocument(
  scope: Scope,
  parentReference: DocumentReference,
  document: NewDocument,
  overwrite: boolean,
): Promise<DocumentRow> {
  if (!overwrite) return createDocument(scope, parentReference, document);
  // Held so that two who put the same at once do not both create it.
  const parent = await holdDocument(scope, parentReference, 'NO KEY UPDATE');
  const values = [parent.repository, parent.id, documentName(document.name), document.type];
  const [child] = await scope.db.query<{ id: string }>(query, values);
  if (!child) return createDocument(scope, { id: parent.id }, document);
  const { properties, versioning } = document;
  return updateDocument(scope, { id: child.id }, { properties, versioning });
}
