import type DataLoader from 'dataloader';
import type { Query } from '../db/database.ts';
import type { Scope } from '../scope.ts';
import type { Access } from './access.ts';
import { listsByKey } from './batch.ts';
import { type ChildrenPage, maxPageSize, type PageArguments } from './children.ts';
import { type DocumentRow, documentColumns } from './document-row.ts';
import { type DocumentPartRow, documentParts, eachWish } from './parts.ts';
import { isReadable, readableAcls, readableValues } from './readable.ts';

/** The most collections of a document that are shown. */
const mostCollections = 100;

const collections = (name: string, before: string, shown: string): Query => ({
  name,
  text: `${before}
    SELECT p.id AS "of", d.* FROM unnest($2::uuid[]) AS p (id)
    CROSS JOIN LATERAL (
      SELECT ${documentColumns} FROM collection_member m
      JOIN document d ON d.repository = m.repository AND d.id = m.collection_id
      WHERE m.repository = $1 AND m.member_id = p.id AND NOT d.is_trashed AND NOT d.is_version AND ${shown}
      ORDER BY d.title, d.id LIMIT ${mostCollections}
    ) d
    ORDER BY p.id, d.title, d.id`,
});

const collectionsOfMembers = `d.repository = $1 AND d.id IN (
  SELECT m.collection_id FROM collection_member m WHERE m.repository = $1 AND m.member_id = ANY($2::uuid[])
)`;

const collectionQueries = {
  all: collections('collections', '', 'true'),
  readable: collections('readable-collections', `WITH ${readableAcls(collectionsOfMembers, 3)}`, isReadable),
};

/** The collections that documents are in, by the member's id and in the order of titles: at most 100 of each. */
export function collectionsOf(
  { db, options, user }: Scope,
  { now }: Access,
): DataLoader<string, readonly DocumentRow[]> {
  const [query, values] = user.isAdministrator
    ? [collectionQueries.all, []]
    : [collectionQueries.readable, readableValues(user, 'Read', now)];
  return listsByKey(
    (members) => db.query<DocumentRow & { of: string }>(query, [options.repository, members, ...values]),
    ({ of }) => of,
  );
}

const members = `collection_member m JOIN document d ON d.repository = m.repository AND d.id = m.member_id
  WHERE m.repository = $1 AND m.collection_id = p.id AND NOT d.is_trashed`;

const membersQuery = (name: string, before: string, shown: string): Query => ({
  name,
  text: `${before}
    SELECT p.id AS "of", least(c.total, $5::int) AS total, row_to_json(d) AS row
    FROM unnest($2::uuid[]) AS p (id)
    CROSS JOIN LATERAL (SELECT count(*)::int AS total FROM ${members} AND ${shown}) c
    LEFT JOIN LATERAL (
      SELECT ${documentColumns}, m.position AS "at" FROM ${members} AND ${shown}
      ORDER BY m.position, m.member_id LIMIT $3::int OFFSET $4::int
    ) d ON true
    ORDER BY p.id, d."at", d.id`,
});

const membersOfCollections = `d.repository = $1 AND d.id IN (
  SELECT m.member_id FROM collection_member m WHERE m.repository = $1 AND m.collection_id = ANY($2::uuid[])
)`;

const memberQueries = {
  all: membersQuery('members', '', 'true'),
  readable: membersQuery('readable-members', `WITH ${readableAcls(membersOfCollections, 6)}`, isReadable),
};

/** Which part of a collection is wanted; its members are in their own order. */
export type MembersPage = Pick<PageArguments, 'pageSize' | 'offset' | 'maxResults'>;

function findMembers({ db, options, user }: Scope, { now }: Access, page: MembersPage) {
  const [query, values] = user.isAdministrator
    ? [memberQueries.all, []]
    : [memberQueries.readable, readableValues(user, 'Read', now)];
  const most = page.maxResults ?? 2 ** 31 - 1;
  const size = page.pageSize === 0 ? maxPageSize : Math.min(page.pageSize, maxPageSize);
  const limit = Math.max(0, Math.min(size, most - page.offset));
  return documentParts((ids) => {
    const fixed = [options.repository, ids, limit, page.offset, most];
    return db.query<DocumentPartRow>(query, [...fixed, ...values]);
  });
}

/** Pages of what is in collections, trashed documents left out: one loader for each way of paging. */
export function membersOf(
  scope: Scope,
  access: Access,
): (collection: string, page: MembersPage) => Promise<ChildrenPage> {
  const load = eachWish((page: MembersPage) => findMembers(scope, access, page));
  return (collection, { pageSize, offset, maxResults }) => load(collection, { pageSize, offset, maxResults });
}
