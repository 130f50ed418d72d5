import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import type { DocumentReference } from '../../model/document-reference.ts';
import { documentName, normalizedName } from '../../model/names.ts';
import type { Scope } from '../../scope.ts';
import { lockDocumentUnchecked } from '../row-locks/lock-document.ts';
import { createDocument, type NewDocument } from './create-document.ts';
import { updateDocument } from './update-document.ts';

/**
 * Creates a document below a parent.
 * @param overwrite whether to update an existing document of the same name and type instead. Names are compared after
 * Unicode normalization, because file systems use different normalization forms.
 * @throws NotFound if the parent does not exist; Forbidden, Invalid, Unprocessable
 */
export async function putDocument(
  scope: Scope,
  parentReference: DocumentReference,
  document: NewDocument,
  overwrite: boolean,
): Promise<DocumentRow> {
  if (!overwrite) return createDocument(scope, parentReference, document);
  // Concurrent calls with the same name wait for this lock, so that only the first one creates a document.
  const parent = await lockDocumentUnchecked(scope, parentReference, 'NO KEY UPDATE');
  const name = documentName(document.name);
  const children = await scope.db.prisma.document.findMany({
    where: {
      repository: parent.repository,
      parentId: parent.id,
      name: { in: [name, normalizedName(name), normalizedName(name, 'NFD')] },
      type: document.type,
      isProxy: false,
      isTrashed: false,
    },
    select: { id: true, name: true },
  });
  const child = children.find((each) => each.name === name) ?? children[0];
  if (!child) return createDocument(scope, { id: parent.id }, document);
  const { properties, versioning } = document;
  return updateDocument(scope, { id: child.id }, { properties, versioning });
}
