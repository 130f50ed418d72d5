import type { Query } from '../db/database.ts';
import { typesWith } from '../model/facets-of.ts';
import type { Scope } from '../scope.ts';
import type { Access } from './access.ts';
import type { ChildrenPage } from './children.ts';
import { type DocumentRow, documentColumns } from './document-row.ts';
import { isReadable, readableAcls, readableValues } from './readable.ts';

/** As a range, so that the index serves whatever text is looked for. */
const found = `d.repository = $1 AND d.type = ANY($2::text[])
  AND lower(d.title) ~>=~ lower($3::text) AND lower(d.title) ~<~ (lower($3::text) || chr(1114111))
  AND NOT d.is_version AND NOT d.is_proxy AND NOT d.is_trashed`;

const searchQuery = (name: string, before: string, shown: string): Query => ({
  name,
  text: `${before}
    SELECT c.total, d.* FROM (SELECT count(*)::int AS total FROM document d WHERE ${found} AND ${shown}) c
    LEFT JOIN LATERAL (
      SELECT ${documentColumns} FROM document d WHERE ${found} AND ${shown}
      ORDER BY lower(d.title), d.id LIMIT $4::int OFFSET $5::int
    ) d ON true
    ORDER BY lower(d.title), d.id`,
});

const queries = {
  all: searchQuery('find-collections', '', 'true'),
  readable: searchQuery('find-readable-collections', `WITH ${readableAcls(found, 6)}`, isReadable),
};

/** Which collections are wanted. */
export interface CollectionsWish {
  /** What their titles begin with, in any case. */
  readonly prefix: string;
  readonly pageSize: number;
  readonly offset: number;
}

/** Collections that the caller may read, by title; favorites are none. */
export const findCollections =
  ({ db, model, options, user }: Scope, { now }: Access) =>
  async ({ prefix, pageSize, offset }: CollectionsWish): Promise<ChildrenPage> => {
    const types = typesWith(model, 'Collection').filter((type) => type !== 'Favorites');
    const fixed = [options.repository, types, prefix, pageSize, offset];
    const rows = await (user.isAdministrator
      ? db.query<FoundRow>(queries.all, fixed)
      : db.query<FoundRow>(queries.readable, [...fixed, ...readableValues(user, 'Read', now)]));
    const isDocument = (row: FoundRow): row is FoundRow & DocumentRow => row.id !== null;
    return { total: rows[0]?.total ?? 0, rows: rows.filter(isDocument) };
  };

type FoundRow = { total: number } & (DocumentRow | { id: null });
