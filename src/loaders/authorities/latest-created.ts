import { typed } from '../../db/columns.ts';
import { ascending, descending } from '../../query/order-sql.ts';
import { defineList } from '../lists/list-loader.ts';
import { type AuthorityKind, type AuthorityRow, authorityRow } from './authorities.ts';

export interface CreatedAuthority extends AuthorityRow {
  readonly kind: AuthorityKind;
}

const createdOf = (kind: AuthorityKind): string => `
  SELECT '${kind}' AS kind, a.id, a.properties, c.at FROM "${kind}" a JOIN (
    SELECT l.extended ->> 'id' AS id, max(l.event_date) AS at
    FROM log_entry l WHERE l.event_id = '${kind}_created' GROUP BY 1
  ) c ON c.id = a.id`;

/** The users and groups whose creation is in the audit log, most recently created first. */
export const latestCreated = defineList<Record<never, never>, CreatedAuthority>({
  name: 'latest-created',
  columns: 'c.kind, c.id, c.properties',
  row: { ...authorityRow, kind: typed<AuthorityKind>('text') },
  from: `(${createdOf('user')} UNION ALL ${createdOf('group')}) c`,
  where: '$1::text IS NOT NULL',
  order: [descending('c.at', 'timestamptz'), ascending('c.kind', 'text')],
  tieBreak: ascending('c.id', 'text'),
});
