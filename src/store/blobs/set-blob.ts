import { Invalid, NotFound, PreconditionFailed } from '../../errors.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import type { DocumentReference } from '../../model/document-reference.ts';
import { blobXpath } from '../../model/values/document-blob.ts';
import { ResolvedBlob, type StoredBlob } from '../../model/values/stored.ts';
import { valueAt } from '../../model/values/value-location.ts';
import type { Scope } from '../../scope.ts';
import type { Preconditions } from '../documents/mutability.ts';
import { updateDocument } from '../documents/update-document.ts';
import { lockDocument } from '../row-locks/lock-document.ts';

/**
 * Sets or removes the blob at an xpath.
 * @param conditions preconditions; `*` in `ifNoneMatch` matches any blob at the xpath
 * @throws Invalid if the xpath does not point to a blob; NotFound if there is no blob to remove; any error of a
 * document update
 */
export async function setBlob(
  scope: Scope,
  reference: DocumentReference,
  { xpath: requested, blob }: { xpath: string; blob: StoredBlob | null },
  conditions: Preconditions = {},
): Promise<DocumentRow> {
  const row = await lockDocument(scope, reference, { mode: 'NO KEY UPDATE', needs: 'WriteProperties' });
  const xpath = blobXpath(scope.services.model, row, requested);
  const found = valueAt(scope.services.model.schemasOf(row.type, row.facets), row.properties, xpath);
  if (found?.property.type !== 'blob' || found.property.many)
    throw new Invalid(`${xpath} cannot have a blob`);
  const { ifNoneMatch } = conditions;
  if (found.value && ifNoneMatch?.includes('*'))
    throw new PreconditionFailed(`If-None-Match: ${row.path} has a blob at ${xpath}.`);
  if (!blob && !found.value) throw new NotFound(`The document at ${row.path} has no blob at ${xpath}.`);
  const { versioning } = scope.options;
  const properties = { [xpath]: blob && new ResolvedBlob(blob) };
  return updateDocument(
    scope,
    { id: row.id },
    { properties, versioning },
    {
      ...conditions,
      ifNoneMatch: ifNoneMatch?.filter((token) => token !== '*'),
    },
  );
}
