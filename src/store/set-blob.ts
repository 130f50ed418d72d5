import { Invalid, NotFound } from '../errors.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import { keptAt } from '../model/document-blob.ts';
import { KeptBlob, type StoredBlob } from '../model/stored.ts';
import { valueAt } from '../model/value-at.ts';
import type { Scope } from '../scope.ts';
import { type DocumentReference, lockDocument } from './lock-document.ts';
import { updateDocument } from './update-document.ts';

/**
 * Puts a blob at an xpath of a document, or takes the one away that is there.
 * @param ifMatch change tokens, one of which must be the document's.
 * @throws Invalid when it is no place of a blob; NotFound when there is none to be taken away; and what an update throws.
 */
export async function setBlob(
  scope: Scope,
  reference: DocumentReference,
  { xpath: given, blob }: { xpath: string; blob: StoredBlob | null },
  ifMatch?: readonly string[] | null,
): Promise<DocumentRow> {
  const row = await lockDocument(scope, reference, { hold: 'NO KEY UPDATE', needs: 'WriteProperties' });
  const xpath = keptAt(given);
  const found = valueAt(scope.model.schemasOf(row.type, row.facets), row.properties, xpath);
  if (found?.property.type !== 'blob' || found.property.many)
    throw new Invalid(`${xpath}: is no place of a blob`);
  if (!blob && !found.value) throw new NotFound(`${row.path} has no blob at ${xpath}`);
  const { versioning } = scope.options;
  const properties = { [xpath]: blob && new KeptBlob(blob) };
  return updateDocument(scope, { id: row.id }, { properties, versioning }, ifMatch);
}
