import { modelColumns, type RowWith } from '../../db/columns.ts';
import { descending } from '../../query/order-sql.ts';
import { guestPrefix } from '../../security/acl.ts';
import { linkAddress } from '../../security/share.ts';
import { defineList } from '../lists/list-loader.ts';

const shareRow = {
  id: 'text',
  documentId: 'uuid',
  mode: 'text?',
  guest: 'text?',
  permissions: 'text[]',
  endsAt: 'timestamptz?',
  createdBy: 'text?',
  createdAt: 'timestamptz?',
  hasPassword: 'bool',
  opened: 'int4?',
  ...modelColumns('ShareLink', 'lastOpenedAt'),
} as const;

/**
 * What people without an account can open: a link, which has a `mode`, or a document that is shared with an email
 * address, which has a `guest`. The id of a link is its UUID; that of a guest consists of the document and the name.
 */
export type ShareRow = RowWith<typeof shareRow>;

interface ShareFilter {
  readonly createdBy: string;
}

/** Separates the id of a document from the name of a guest, in the id of a share. */
export const shareSeparator = ':';

// The condition on `acls` is that of the index `document_acl_guests_idx`, which contains few of the documents that have
// ACEs. The guests of links are excluded, because each link is an entry itself.
const shares = `(
  SELECT l.repository, l.id::text AS id, l.document_id AS "documentId", l.mode, NULL::text AS guest,
    ARRAY[]::text[] AS permissions, l.ends_at AS "endsAt", l.created_by AS "createdBy", l.created_at AS "createdAt",
    l.password_hash IS NOT NULL AS "hasPassword", l.opened, l.last_opened_at AS "lastOpenedAt"
  FROM share_link l
  UNION ALL
  SELECT a.repository, a.document_id::text || '${shareSeparator}' || g.name, a.document_id, NULL, g.name, g.permissions,
    g.ends_at, g.created_by, NULL, false, NULL, NULL
  FROM document_acl a CROSS JOIN LATERAL (
    SELECT e.ace ->> 'username' AS name, array_agg(DISTINCT e.ace ->> 'permission') AS permissions,
      CASE WHEN bool_and(e.ace ->> 'end' IS NOT NULL) THEN max((e.ace ->> 'end')::timestamptz) END AS ends_at,
      min(e.ace ->> 'creator') AS created_by
    FROM jsonb_path_query(a.acls, '$[*].aces[*] ? (@.granted == true && @.username starts with "${guestPrefix}")')
      AS e (ace)
    WHERE e.ace ->> 'username' NOT LIKE '${guestPrefix}${linkAddress('%')}/%'
    GROUP BY e.ace ->> 'username'
  ) g
  WHERE a.acls @? '$[*].aces[*].username ? (@ starts with "${guestPrefix}")'
) s`;

/** Reads pages of links and guests. Those that can open documents for the longest time come first. */
export const sharePages = defineList<ShareFilter, ShareRow>({
  name: 'shares',
  columns: `s.id, s."documentId", s.mode, s.guest, s.permissions, s."endsAt", s."createdBy", s."createdAt",
    s."hasPassword", s.opened, s."lastOpenedAt"`,
  row: shareRow,
  from: shares,
  where: 's.repository = $1',
  // LEAST ignores NULL, which stands for a permission without an end.
  order: [descending(`least(s."endsAt", timestamptz '5000-01-01')`, 'timestamptz')],
  tieBreak: descending('s.id', 'text'),
  filters: { createdBy: (user) => `s."createdBy" = ${user}` },
});
