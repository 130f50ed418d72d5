import type { Query } from '../db/database.ts';
import { type MembershipProperty, membershipProperties } from '../model/memberships.ts';
import type { Scope } from '../scope.ts';
import type { Access } from './access.ts';
import { byKey } from './batch.ts';
import { maxPageSize } from './children.ts';
import { isReadable, readableAcls, readableValues } from './readable.ts';

/** Both in one statement; a property holds no more than a page does. */
const idsQuery = (name: string, before: string, shown: string): Query => ({
  name,
  text: `${before}
    SELECT 'collection:documentIds/' || p.id AS key, ids.of FROM unnest($2::uuid[]) AS p (id)
    CROSS JOIN LATERAL (
      SELECT array_agg(m.member_id ORDER BY m.position, m.member_id) AS of FROM (
        SELECT member_id, position FROM collection_member
        WHERE repository = $1 AND collection_id = p.id ORDER BY position, member_id LIMIT ${maxPageSize}
      ) m
    ) ids
    UNION ALL
    SELECT 'collectionMember:collectionIds/' || p.id, ids.of FROM unnest($3::uuid[]) AS p (id)
    CROSS JOIN LATERAL (
      SELECT array_agg(m.collection_id ORDER BY m.collection_id) AS of FROM (
        SELECT m.collection_id FROM collection_member m
        JOIN document d ON d.repository = m.repository AND d.id = m.collection_id AND NOT d.is_version
        WHERE m.repository = $1 AND m.member_id = p.id AND ${shown}
        ORDER BY m.collection_id LIMIT ${maxPageSize}
      ) m
    ) ids`,
});

const collectionsOfMembers = `d.repository = $1 AND d.id IN (
  SELECT m.collection_id FROM collection_member m WHERE m.repository = $1 AND m.member_id = ANY($3::uuid[])
)`;

const queries = {
  all: idsQuery('membership-ids', '', 'true'),
  readable: idsQuery('readable-membership-ids', `WITH ${readableAcls(collectionsOfMembers, 4)}`, isReadable),
};

interface Ids {
  readonly key: string;
  readonly of: readonly string[] | null;
}

/** Finds the ids that such a property of a document holds: the first 1000. */
type MembershipIds = (xpath: MembershipProperty, document: string) => Promise<readonly string[]>;

function idsBy(
  { db, options }: Pick<Scope, 'db' | 'options'>,
  query: Query,
  values: readonly unknown[],
): MembershipIds {
  const loader = byKey<string, Ids>(
    (keys) => {
      const asked = membershipProperties.map((xpath) =>
        keys.filter((key) => key.startsWith(`${xpath}/`)).map((key) => key.slice(xpath.length + 1)),
      );
      return db.query(query, [options.repository, ...asked, ...values]);
    },
    ({ key }) => key,
  );
  return async (xpath, document) => (await loader.load(`${xpath}/${document}`))?.of ?? [];
}

/** All of them, whoever asks: for rules, not to be shown. */
export const allMembershipIds = (scope: Pick<Scope, 'db' | 'options'>): MembershipIds =>
  idsBy(scope, queries.all, []);

/** Those that the caller is shown: of the collections that a document is in, the ones that he may read. */
export const membershipIds = (
  scope: Pick<Scope, 'db' | 'options' | 'user'>,
  { now }: Pick<Access, 'now'>,
): MembershipIds =>
  scope.user.isAdministrator
    ? allMembershipIds(scope)
    : idsBy(scope, queries.readable, readableValues(scope.user, 'Read', now));
