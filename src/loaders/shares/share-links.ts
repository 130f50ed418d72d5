import { modelColumns, type RowWith } from '../../db/columns.ts';
import { descending } from '../../query/order-sql.ts';
import { defineList } from '../lists/list-loader.ts';

const shareLinkRow = {
  ...modelColumns('ShareLink', 'id', 'repository', 'documentId', 'mode', 'endsAt'),
  ...modelColumns('ShareLink', 'createdBy', 'createdAt', 'opened', 'lastOpenedAt'),
  hasPassword: 'bool',
} as const;

/** A link without its token and its password, neither of which is stored. */
export type ShareLinkRow = RowWith<typeof shareLinkRow>;

interface ShareLinkFilter {
  readonly documentId: string;
  readonly createdBy: string;
}

/** Reads pages of links, newest first. */
export const shareLinkPages = defineList<ShareLinkFilter, ShareLinkRow>({
  name: 'share-links',
  columns: `s.id, s.repository, s.document_id AS "documentId", s.mode, s.ends_at AS "endsAt", s.created_by AS "createdBy",
    s.created_at AS "createdAt", s.opened, s.last_opened_at AS "lastOpenedAt",
    s.password_hash IS NOT NULL AS "hasPassword"`,
  row: shareLinkRow,
  from: 'share_link s',
  where: 's.repository = $1',
  order: [descending('s.created_at', 'timestamptz')],
  tieBreak: descending('s.id', 'uuid'),
  filters: {
    documentId: (id) => `s.document_id = ${id}::uuid`,
    createdBy: (user) => `s.created_by = ${user}`,
  },
});
