import { statement } from '../../db/statement.ts';
import { requirePermissions } from '../../loaders/acls/access.ts';
import { type DocumentRow, documentColumns, documentRow } from '../../loaders/documents/document-row.ts';
import type { DocumentReference } from '../../model/document-reference.ts';
import type { Scope } from '../../scope.ts';
import type { Permission } from '../../security/permissions.ts';
import { type LockMode, topDown } from './lock-order.ts';
import { isReferredTo, referenceValues, rowsOfReferences } from './references.ts';

const liveIds = 'SELECT live_id FROM referred WHERE live_id IS NOT NULL';

// Subqueries that select the ids of further documents to be locked together with those in `referred`.
const relatedIds = {
  none: 'SELECT NULL::uuid',
  /**
   * The live documents of versions and proxies. No transaction changes a version or proxy without locking its live
   * document.
   */
  live: liveIds,
  /** The live documents along with all of their proxies. */
  proxies: `${liveIds} UNION ALL
    SELECT p.id FROM referred JOIN document p
      ON p.repository = $1 AND p.live_id = coalesce(referred.live_id, referred.id) AND p.is_proxy`,
  /**
   * The live document of a version and, if they are collections, the documents that are members of only one of the two.
   */
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

/** Locks documents and related ones in one statement, without checking permissions. */
export function lockRelated(
  { db, options }: Scope,
  references: readonly DocumentReference[],
  mode: LockMode,
  related: Related,
): Promise<DocumentRow[]> {
  return db.query(query(mode, related), [options.repository, ...referenceValues(references)]);
}

/** A document to lock. */
export interface LockRequest {
  readonly reference: DocumentReference;
  /** Returns the permission that the caller needs on the document. */
  readonly needs: (row: DocumentRow) => Permission;
}

/**
 * Locks documents in one statement, along with the live documents of versions and proxies.
 * @returns the row for each request, in the order of the requests; two requests can refer to the same document
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
