import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import type { DocumentReference } from '../../model/document-reference.ts';
import { documentName } from '../../model/names.ts';
import type { Scope } from '../../scope.ts';
import { lockDocumentUnchecked } from '../row-locks/lock-document.ts';
import { createDocument, type NewDocument } from './create-document.ts';
import { updateDocument } from './update-document.ts';

/**
 * Creates a document below a parent.
 * @param overwrite updates the document of the same name and type instead, if there is one.
 * @throws NotFound without the parent, Forbidden, Invalid, Unprocessable
 */
export async function putDocument(
  scope: Scope,
  parentReference: DocumentReference,
  document: NewDocument,
  overwrite: boolean,
): Promise<DocumentRow> {
  if (!overwrite) return createDocument(scope, parentReference, document);
  // The lock makes concurrent puts of one name wait, so that only the first one creates.
  const parent = await lockDocumentUnchecked(scope, parentReference, 'NO KEY UPDATE');
  const child = await scope.db.prisma.document.findFirst({
    where: {
      repository: parent.repository,
      parentId: parent.id,
      name: documentName(document.name),
      type: document.type,
      isProxy: false,
      isTrashed: false,
    },
    select: { id: true },
  });
  if (!child) return createDocument(scope, { id: parent.id }, document);
  const { properties, versioning } = document;
  return updateDocument(scope, { id: child.id }, { properties, versioning });
}
