import type { Principal } from '../scope.ts';
import { namesOf } from '../security/evaluate.ts';
import { decidingAbout, type Permission } from '../security/permissions.ts';

/** The condition that an effective ACL `a` grants a permission; of its three parameters $first is the first. */
export const isGranting = (first: number): string => `(
  SELECT (e.ace -> 'granted')::boolean
  FROM jsonb_array_elements(a.entries) WITH ORDINALITY AS e (ace, position)
  WHERE e.ace ->> 'username' = ANY($${first}::text[]) AND e.ace ->> 'permission' = ANY($${first + 1}::text[])
    AND coalesce(e.ace ->> 'begin' COLLATE "C" <= $${first + 2}::text, true)
    AND coalesce(e.ace ->> 'end' COLLATE "C" >= $${first + 2}::text, true)
  ORDER BY e.position LIMIT 1
)`;

/** A table for a WITH: of some effective ACLs, those that grant a permission, each looked at once. */
export const grantingAcls = (table: string, ids: string, first: number): string => `
  ${table} AS MATERIALIZED (
    SELECT a.id FROM effective_acl a WHERE a.repository = $1 AND a.id IN (${ids}) AND ${isGranting(first)}
  )`;

/**
 * The table `readable` for a WITH: of the effective ACLs that some documents point to, those that grant a permission
 * (§2.5), each looked at once. Lists of documents that are not for administrators alone filter by it, so that what one
 * may not read is neither shown nor counted.
 * @param candidates the condition on the documents, called `d`; $1 is the repository.
 * @param first the number of the first of three parameters, which `readableValues` brings.
 */
export const readableAcls = (candidates: string, first: number): string =>
  grantingAcls('readable', `SELECT DISTINCT d.acl_id FROM document d WHERE ${candidates}`, first);

/** The condition on a document `d` next to that table. */
export const isReadable = 'd.acl_id = ANY(ARRAY(SELECT id FROM readable))';

/**
 * Leaves out of a FROM with documents `d` those that the caller may not read, one after the other until there are
 * enough: for lists that are cut. The limit keeps the planner at that, and each ACL is looked at once.
 * @param first as above.
 */
export const onlyReadable = (first: number): string => `
  CROSS JOIN LATERAL (
    SELECT FROM effective_acl a WHERE a.repository = d.repository AND a.id = d.acl_id AND ${isGranting(first)} LIMIT 1
  ) granting`;

/** The parameters of either. */
export const readableValues = (
  user: Principal,
  permission: Permission,
  now: string,
): [string[], string[], string] => [namesOf(user), [...decidingAbout(permission)], now];
