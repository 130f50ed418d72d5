import { DocumentNotFound } from '../../errors.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { type DocumentReference, referenceKey } from '../../model/document-reference.ts';
import { isPossibleKey, isUuid } from '../../model/names.ts';

/** SQL condition that is true if the id of the document is in `$2` or its path is in `$3`. */
export const isReferredTo = (alias: string): string =>
  `(${alias}.id = ANY($2::uuid[]) OR (${alias}.path = ANY($3::text[]) AND NOT ${alias}.is_version))`;

/**
 * Splits references into the ids for `$2` and the paths for `$3`. Values that no document can have are omitted.
 * @throws Invalid
 */
export function referenceValues(references: readonly DocumentReference[]): [ids: string[], paths: string[]] {
  const keys = references.map(referenceKey);
  const values = (kind: 'id' | 'path') => keys.filter(({ by }) => by === kind).map(({ value }) => value);
  return [values('id').filter(isUuid), values('path').filter(isPossibleKey)];
}

/**
 * Returns the row for each reference, in the order of the references; two references can refer to the same row.
 * @throws NotFound
 */
export function rowsOfReferences<Row extends Pick<DocumentRow, 'id' | 'path' | 'isVersion'>>(
  references: readonly DocumentReference[],
  rows: readonly Row[],
): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const byPath = new Map(rows.filter(({ isVersion }) => !isVersion).map((row) => [row.path, row]));
  return references.map((reference) => {
    const { by, value } = referenceKey(reference);
    const row = (by === 'id' ? byId : byPath).get(value);
    if (!row) throw new DocumentNotFound(value);
    return row;
  });
}
