import { type Statement, statement } from '../../db/statement.ts';
import { type MembershipProperty, membershipProperties } from '../../model/memberships.ts';
import type { ValueScope } from '../../scope.ts';
import type { Access } from '../acls/access.ts';
import { readableJoin, readerStatement, readerValues } from '../acls/readable-sql.ts';
import { batchLoader } from '../batch.ts';
import { maxPageSize } from '../lists/page.ts';

/**
 * The statement that reads both membership properties: the members of the collections in `$2`, and the collections that
 * contain the documents in `$3`. It returns one row with an array of ids for each document. A lateral subquery reads
 * the first readable ids for each document in order and stops at the maximum page size, so the cost of a large
 * collection is bounded.
 * @param readable a join that omits unreadable documents, or an empty string
 */
const idsQuery = (name: string, readable: string): Statement<Ids> => statement(name, {
  key: 'text',
  of: 'uuid[]?',
})`
  SELECT 'collection:documentIds/' || p.id AS key, ids.of FROM unnest($2::uuid[]) AS p (id)
  CROSS JOIN LATERAL (
    SELECT array_agg(m.member_id ORDER BY m.position, m.member_id) AS of FROM (
      SELECT m.member_id, m.position FROM collection_member m
      JOIN document d ON d.repository = m.repository AND d.id = m.member_id ${readable}
      WHERE m.repository = $1 AND m.collection_id = p.id
      ORDER BY m.position, m.member_id LIMIT ${maxPageSize}
    ) m
  ) ids
  UNION ALL
  SELECT 'collectionMember:collectionIds/' || p.id, ids.of FROM unnest($3::uuid[]) AS p (id)
  CROSS JOIN LATERAL (
    SELECT array_agg(m.collection_id ORDER BY m.collection_id) AS of FROM (
      SELECT m.collection_id FROM collection_member m
      JOIN document d ON d.repository = m.repository AND d.id = m.collection_id AND NOT d.is_version ${readable}
      WHERE m.repository = $1 AND m.member_id = p.id
      ORDER BY m.collection_id LIMIT ${maxPageSize}
    ) m
  ) ids`;

const queries = {
  all: idsQuery('membership-ids', ''),
  readable: idsQuery('readable-membership-ids', readableJoin(4)),
};

interface Ids {
  readonly key: string;
  readonly of: readonly string[] | null;
}

type MembershipIds = (xpath: MembershipProperty, document: string) => Promise<readonly string[]>;

/** Returns a loader for the values of membership properties, which contain only the ids of readable documents. */
export function membershipIds(
  { db, options, user }: Pick<ValueScope, 'db' | 'options' | 'user'>,
  { now }: Pick<Access, 'now'>,
): MembershipIds {
  const [query, values] = readerStatement(user, queries, readerValues(user, now));
  const loader = batchLoader<string, Ids>(
    (keys) => {
      const ids = membershipProperties.map((xpath) =>
        keys.filter((key) => key.startsWith(`${xpath}/`)).map((key) => key.slice(xpath.length + 1)),
      );
      return db.query(query, [options.repository, ...ids, ...values]);
    },
    ({ key }) => key,
  );
  return async (xpath, document) => (await loader.load(`${xpath}/${document}`))?.of ?? [];
}
