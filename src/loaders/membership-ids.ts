import type { Query } from '../db/database.ts';
import type { Scope } from '../scope.ts';
import { byKey } from './batch.ts';
import { maxPageSize } from './children.ts';

/** The properties that tell of memberships: the members of a collection, and the collections of a member. */
export const membershipProperties = ['collection:documentIds', 'collectionMember:collectionIds'] as const;

type MembershipProperty = (typeof membershipProperties)[number];

/** Both in one statement; a property holds no more than a page does. */
const idsQuery: Query = {
  name: 'membership-ids',
  text: `
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
        WHERE m.repository = $1 AND m.member_id = p.id ORDER BY m.collection_id LIMIT ${maxPageSize}
      ) m
    ) ids`,
};

interface Ids {
  readonly key: string;
  readonly of: readonly string[] | null;
}

/** The ids that such a property of a document holds: the first 1000. */
export function membershipIds({
  db,
  options,
}: Pick<Scope, 'db' | 'options'>): (
  xpath: MembershipProperty,
  document: string,
) => Promise<readonly string[]> {
  const loader = byKey<string, Ids>(
    (keys) => {
      const asked = membershipProperties.map((xpath) =>
        keys.filter((key) => key.startsWith(`${xpath}/`)).map((key) => key.slice(xpath.length + 1)),
      );
      return db.query(idsQuery, [options.repository, ...asked]);
    },
    ({ key }) => key,
  );
  return async (xpath, document) => (await loader.load(`${xpath}/${document}`))?.of ?? [];
}
