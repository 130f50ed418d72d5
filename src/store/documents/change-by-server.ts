import { statement } from '../../db/statement.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { isUnset, type StoredProperties } from '../../model/values/stored.ts';
import type { Scope } from '../../scope.ts';
import { type AuditEvent, withAudit, writeAudited } from '../audit/audit.ts';
import { withoutUnset } from './properties.ts';

/** A change that the server itself makes to a document. The document's row must be locked. */
interface ServerChange {
  readonly row: DocumentRow;
  /** All facets of the document itself, as opposed to those of its type; unchanged when absent. */
  readonly facets?: readonly string[];
  /** Property values by xpath. Properties that are absent remain unchanged, and those without a value are cleared. */
  readonly properties?: StoredProperties;
}

const query = withAudit(statement('change-by-server')`
  UPDATE document d
  SET facets = c.facets, system_token = d.system_token + 1,
    properties = CASE WHEN c.changed IS NULL THEN d.properties ELSE (d.properties || c.changed) - c.cleared END
  FROM jsonb_to_recordset($2::jsonb) AS c (id uuid, facets text[], changed jsonb, cleared text[])
  WHERE d.repository = $1 AND d.id = c.id RETURNING d.id`);

const changed = ({ row, facets = row.facets, properties = {} }: ServerChange): DocumentRow => ({
  ...row,
  facets: [...facets],
  systemToken: row.systemToken + 1,
  properties: withoutUnset({ ...row.properties, ...properties }),
});

const asJson = ({ row, facets = row.facets, properties }: ServerChange) => ({
  id: row.id,
  facets,
  ...(properties && {
    changed: withoutUnset(properties),
    cleared: Object.keys(properties).filter((xpath) => isUnset(properties[xpath])),
  }),
});

/**
 * Writes changes that the server makes as part of a user's action, in one statement for any number of documents. They
 * increase the server's half of the change token, so that they do not make a concurrent change by a user stale, and
 * they add no contributor.
 * @param changes the changes; each must concern a different document
 * @param eventsOf creates the log entries for the changed documents
 * @returns the changed documents, in the order of the changes
 */
export async function changeByServer(
  scope: Scope,
  changes: readonly ServerChange[],
  eventsOf: (rows: readonly DocumentRow[]) => readonly AuditEvent[] = () => [],
): Promise<DocumentRow[]> {
  if (changes.length === 0) return [];
  const rows = changes.map(changed);
  const values = [scope.options.repository, JSON.stringify(changes.map(asJson))];
  await writeAudited(scope, query, values, eventsOf(rows));
  return rows;
}
