import type { Query } from '../db/database.ts';
import type { Scope } from '../scope.ts';
import type { Permission } from '../security/permissions.ts';
import type { Access } from './access.ts';
import type { ChildrenPage } from './children.ts';
import { documentColumns } from './document-row.ts';
import { type DocumentPartRow, documentParts, eachWish } from './parts.ts';
import { isReadable, readableAcls, readableValues } from './readable.ts';

// What shows a state of a document: its versions, and its proxies in sections (§11). Keys are ids of live documents.

/** Which of them, in which order, and what it takes to read them. */
interface Kind {
  readonly name: string;
  /** What tells them from others. */
  readonly is: string;
  readonly order: string;
  readonly permission: Permission;
}

const versions = { permission: 'ReadVersion', order: 'd.version_created DESC, d.id DESC' } as const;

const kinds = {
  versions: { ...versions, name: 'versions', is: 'd.is_version' },
  latest: { ...versions, name: 'latest-versions', is: 'd.is_latest_version' },
  proxies: { name: 'proxies', is: 'd.is_proxy', permission: 'Read', order: 'd.path, d.id' },
} as const satisfies Record<string, Kind>;

/** How a caller sees them: administrators without looking at ACLs. */
function viewOf({ user }: Scope, { now }: Access, { name, is, permission }: Kind) {
  const shown = `d.repository = $1 AND d.live_id = p.id AND ${is}`;
  if (user.isAdministrator) return { name, before: '', shown, values: [] };
  const candidates = `d.repository = $1 AND d.live_id = ANY($2::uuid[]) AND ${is}`;
  return {
    name: `readable-${name}`,
    before: `WITH ${readableAcls(candidates, 5)}`,
    shown: `${shown} AND ${isReadable}`,
    values: readableValues(user, permission, now),
  };
}

/** Some of a list. */
export type Part = Readonly<{ pageSize: number; offset: number }>;

function pages(scope: Scope, access: Access, kind: Kind, { pageSize, offset }: Part) {
  const { name, before, shown, values } = viewOf(scope, access, kind);
  const query: Query = {
    name: `pages-of-${name}`,
    text: `${before}
      SELECT p.id AS "of", c.total, row_to_json(d) AS row
      FROM unnest($2::uuid[]) AS p (id)
      CROSS JOIN LATERAL (SELECT count(*)::int AS total FROM document d WHERE ${shown}) c
      LEFT JOIN LATERAL (
        SELECT ${documentColumns}, row_number() OVER (ORDER BY ${kind.order}) AS "at"
        FROM document d WHERE ${shown} ORDER BY ${kind.order} LIMIT $3::int OFFSET $4::int
      ) d ON true
      ORDER BY p.id, d."at"`,
  };
  return documentParts((ids) =>
    scope.db.query<DocumentPartRow>(query, [...[scope.options.repository, ids, pageSize, offset], ...values]),
  );
}

/** Pages of the versions of documents, the last made first, the last one alone, or their proxies by path: those that may be read. */
export function statesOf(scope: Scope, access: Access, kind: keyof typeof kinds) {
  const load = eachWish((part: Part) => pages(scope, access, kinds[kind], part));
  return (liveId: string, { pageSize, offset }: Part): Promise<ChildrenPage> =>
    load(liveId, { pageSize, offset });
}
