import { statement } from '../../db/statement.ts';
import { requirePermissions } from '../../loaders/acls/access.ts';
import { type DocumentRow, documentColumns, documentRow } from '../../loaders/documents/document-row.ts';
import type { DocumentReference } from '../../model/document-reference.ts';
import type { Scope } from '../../scope.ts';
import type { Permission } from '../../security/permissions.ts';
import { type LockMode, topDown } from './lock-order.ts';
import { isReferredTo, referenceValues, rowsOfReferences } from './references.ts';

const liveIds = 'SELECT live_id FROM referred WHERE live_id IS NOT NULL';

// Ids of the documents that are locked with those that are `referred` to.
const relatedIds = {
  none: 'SELECT NULL::uuid',
  /** Of versions and proxies the live document: no transaction changes them without its lock. */
  live: liveIds,
  /** The live document and all of its proxies. */
  proxies: `${liveIds} UNION ALL
    SELECT p.id FROM referred JOIN document p
      ON p.repository = $1 AND p.live_id = coalesce(referred.live_id, referred.id) AND p.is_proxy`,
  /** Of a version the live document, and the members that only one of the two has as a collection. */
  members: `${liveIds} UNION ALL
    SELECT m.member_id FROM referred JOIN collection_member m
      ON m.repository = $1 AND m.collection_id IN (referred.id, referred.live_id)
    WHERE referred.is_version GROUP BY m.member_id HAVING count(*) = 1`,
} as const;

type Related = keyof typeof relatedIds;

const query = (mode: LockMode, related: Related) => statement(
  `lock-documents-${mode}-${related}`,
  documentRow,
)`
  WITH referred AS MATERIALIZED (
    SELECT s.id, s.live_id, s.is_version FROM document s WHERE s.repository = $1 AND ${isReferredTo('s')}
  )
  SELECT ${documentColumns} FROM document d
  WHERE d.repository = $1 AND (${isReferredTo('d')} OR d.id = ANY(ARRAY(${relatedIds[related]})))
  ${topDown(mode)}`;

/** One statement for all documents and the related ones; no permission is checked. */
export function lockRelated(
  { db, options }: Scope,
  references: readonly DocumentReference[],
  mode: LockMode,
  related: Related,
): Promise<DocumentRow[]> {
  return db.query(query(mode, related), [options.repository, ...referenceValues(references)]);
}

export interface LockRequest {
  readonly reference: DocumentReference;
  /** What the caller must be allowed to do with the document. */
  readonly needs: (row: DocumentRow) => Permission;
}

/**
 * One statement for all; of versions and proxies the live documents are locked, too.
 * @returns the row of each request, in their order; two may refer to one document.
 * @throws NotFound, Forbidden
 */
export async function lockDocuments(
  scope: Scope,
  requests: readonly LockRequest[],
  mode: LockMode,
): Promise<DocumentRow[]> {
  const references = requests.map(({ reference }) => reference);
  const found = rowsOfReferences(references, await lockRelated(scope, references, mode, 'live'));
  await requirePermissions(
    scope,
    found.map((row, index) => [row, requests[index]?.needs(row) ?? 'Everything']),
  );
  return found;
}
