import { NotFound } from '../errors.ts';
import { requirePermissions } from '../loaders/access.ts';
import { type DocumentRow, documentQuery } from '../loaders/document-row.ts';
import { isUuid } from '../model/names.ts';
import type { Scope } from '../scope.ts';
import type { Permission } from '../security/permissions.ts';
import { addressOf, type DocumentReference } from './lock-document.ts';

/** How rows are held until the end of the transaction: against their going, or against changes of them too. */
type Hold = 'KEY SHARE' | 'NO KEY UPDATE';

const named = (row: string): string =>
  `(${row}.id = ANY($2::uuid[]) OR (${row}.path = ANY($3::text[]) AND NOT ${row}.is_version))`;

/**
 * From the top down, as everybody takes them: nobody waits in a circle. With versions and proxies their live documents
 * are held, without which nothing befalls them.
 */
const query = (hold: Hold) =>
  documentQuery(
    `hold-documents-${hold}`,
    `WHERE d.repository = $1 AND (${named('d')} OR d.id = ANY(ARRAY(
      SELECT s.live_id FROM document s WHERE s.repository = $1 AND ${named('s')} AND s.live_id IS NOT NULL
    )))
    ORDER BY cardinality(d.ancestor_ids), d.id FOR ${hold}`,
  );

const queries = { 'KEY SHARE': query('KEY SHARE'), 'NO KEY UPDATE': query('NO KEY UPDATE') };

/** A document that a write takes part in, and what the caller must be allowed to do with it. */
export interface Claim {
  readonly reference: DocumentReference;
  readonly needs: (row: DocumentRow) => Permission;
}

/**
 * Reads any number of documents in one statement, and holds their rows until the transaction ends.
 * @returns the row of each claim, in their order; a document may be claimed more than once.
 * @throws NotFound, Forbidden
 */
export async function lockDocuments(
  scope: Scope,
  claims: readonly Claim[],
  hold: Hold,
): Promise<DocumentRow[]> {
  const addresses = claims.map(({ reference }) => addressOf(reference));
  const named = (by: 'id' | 'path') =>
    addresses.filter((address) => address.by === by).map(({ value }) => value);
  const [ids, paths] = [named('id').filter(isUuid), named('path').filter((path) => !path.includes('\0'))];
  const rows = await scope.db.query<DocumentRow>(queries[hold], [scope.options.repository, ids, paths]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const byPath = new Map(rows.filter(({ isVersion }) => !isVersion).map((row) => [row.path, row]));
  const found = addresses.map(({ by, value }) => {
    const row = (by === 'id' ? byId : byPath).get(value);
    if (!row) throw new NotFound(value);
    return row;
  });
  await requirePermissions(
    scope,
    found.map((row, index) => [row, claims[index]?.needs(row) ?? 'Everything']),
  );
  return found;
}
