import type { DocumentRow } from '../loaders/document-row.ts';
import { isUnset, type StoredProperties } from '../model/stored.ts';
import type { Scope } from '../scope.ts';
import { type Event, recorded, write } from './audit.ts';
import { withoutUnset } from './properties.ts';

/** What the server changes of a document that is held. */
export interface ServerChange {
  readonly row: DocumentRow;
  /** All facets of its own; those that it has when absent. */
  readonly facets?: readonly string[];
  /** By xpath; what is absent stays, what is unset is cleared. */
  readonly properties?: StoredProperties;
}

const query = recorded({
  name: 'change-by-server',
  text: `
    UPDATE document d
    SET facets = c.facets, system_token = d.system_token + 1,
      properties = CASE WHEN c.changed IS NULL THEN d.properties ELSE (d.properties || c.changed) - c.cleared END
    FROM jsonb_to_recordset($2::jsonb) AS c (id uuid, facets text[], changed jsonb, cleared text[])
    WHERE d.repository = $1 AND d.id = c.id RETURNING d.id`,
});

const changed = ({ row, facets = row.facets, properties = {} }: ServerChange): DocumentRow => ({
  ...row,
  facets: [...facets],
  systemToken: row.systemToken + 1,
  properties: withoutUnset({ ...row.properties, ...properties }),
});

const asJson = ({ row, facets = row.facets, properties }: ServerChange) => ({
  ...{ id: row.id, facets },
  ...(properties && {
    changed: withoutUnset(properties),
    cleared: Object.keys(properties).filter((xpath) => isUnset(properties[xpath])),
  }),
});

/**
 * Writes what the server changes of documents on somebody's behalf, in one statement for any number of them: the
 * server's half of their change tokens rises, and nobody becomes a contributor.
 * @param eventsOf what the audit is to tell of the documents as they are now.
 * @returns the documents as they are now, in the order of the changes, of which each is of another document.
 */
export async function changeByServer(
  scope: Scope,
  changes: readonly ServerChange[],
  eventsOf: (rows: readonly DocumentRow[]) => readonly Event[] = () => [],
): Promise<DocumentRow[]> {
  if (changes.length === 0) return [];
  const rows = changes.map(changed);
  const values = [scope.options.repository, JSON.stringify(changes.map(asJson))];
  await write(scope, query, values, eventsOf(rows));
  return rows;
}
