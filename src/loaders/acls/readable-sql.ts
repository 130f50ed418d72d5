import type { Statement } from '../../db/statement.ts';
import { aceUsernames } from '../../security/evaluate.ts';
import { type Permission, permissionsGranting } from '../../security/permissions.ts';
import type { Principal } from '../../security/principal.ts';

/** The condition that an effective ACL `a` grants a permission; the values are those of `readableValues`. */
export const grantsSql = ([usernames, permissions, now]: readonly [string, string, string]): string => `(
  SELECT (e.ace -> 'granted')::boolean
  FROM jsonb_array_elements(a.entries) WITH ORDINALITY AS e (ace, position)
  WHERE e.ace ->> 'username' = ANY(${usernames}) AND e.ace ->> 'permission' = ANY(${permissions})
    AND coalesce(e.ace ->> 'begin' COLLATE "C" <= ${now}, true)
    AND coalesce(e.ace ->> 'end' COLLATE "C" >= ${now}, true)
  ORDER BY e.position LIMIT 1
)`;

/** @param first the number of the first of three parameters. */
export const grantCondition = (first: number): string =>
  grantsSql([`$${first}::text[]`, `$${first + 1}::text[]`, `$${first + 2}::text`]);

/** A table for a WITH: of some effective ACLs, those that grant a permission, each evaluated once. */
const grantingAclsTable = (table: string, ids: string, first: number): string => `
  ${table} AS MATERIALIZED (
    SELECT a.id FROM effective_acl a WHERE a.repository = $1 AND a.id IN (${ids}) AND ${grantCondition(first)}
  )`;

/**
 * The table `readable` for a WITH: of the effective ACLs that some documents `d` point to, those that grant a
 * permission (§2.5), each evaluated once. Lists filter by it for everyone but administrators, so that
 * unreadable documents are neither listed nor counted.
 * @param condition selects the documents; `$1` is the repository.
 * @param first the number of the first of three parameters, which `readableValues` brings.
 */
export const readableAcls = (from: string, condition: string, first: number): string =>
  grantingAclsTable('readable', `SELECT DISTINCT d.acl_id FROM ${from} WHERE ${condition}`, first);

/** As `readableAcls`, with the table `acls` of how many of the documents have each ACL. */
export const countedAcls = (from: string, condition: string, first: number): string => `
  acls AS MATERIALIZED (SELECT d.acl_id, count(*) AS count FROM ${from} WHERE ${condition} GROUP BY d.acl_id),
  ${grantingAclsTable('readable', 'SELECT acl_id FROM acls', first)}`;

/** The documents of `countedAcls` that are readable. */
export const readableTotal =
  'SELECT coalesce(sum(count), 0)::int AS total FROM acls WHERE acl_id IN (SELECT id FROM readable)';

export const readableCondition = 'd.acl_id = ANY(ARRAY(SELECT id FROM readable))';

/** The ACL of a document, if it grants a permission. PostgreSQL remembers the answer for each. */
const grantingAcl = (alias: string, grants: string): string => `
  SELECT FROM effective_acl a WHERE a.repository = ${alias}.repository AND a.id = ${alias}.acl_id AND ${grants}`;

/** Whether that of a document does. @param grants as `grantsSql` makes it. */
export const isGrantedSql = (alias: string, grants: string): string =>
  `EXISTS (${grantingAcl(alias, grants)})`;

const letsRead = (first: number, alias: string): string =>
  grantsSql([
    `$${first}::text[]`,
    `CASE WHEN ${alias}.is_version THEN $${first + 3}::text[] ELSE $${first + 1}::text[] END`,
    `$${first + 2}::text`,
  ]);

/**
 * A join that drops unreadable documents `d` row by row until there are enough: for lists that are cut, or
 * may have versions. Its limit keeps the planner from another join order.
 * @param first the number of the first of four parameters, which `readerValues` brings.
 */
export const readableJoin = (first: number, alias = 'd'): string =>
  `CROSS JOIN LATERAL (${grantingAcl(alias, letsRead(first, alias))} LIMIT 1) granting`;

/** The same as a condition. */
export const mayReadSql = (first: number, alias: string): string =>
  isGrantedSql(alias, letsRead(first, alias));

export const readableValues = (
  user: Principal,
  permission: Permission,
  now: string,
): [string[], string[], string] => [aceUsernames(user), [...permissionsGranting(permission)], now];

export const readerValues = (user: Principal, now: string): [string[], string[], string, string[]] => [
  ...readableValues(user, 'Read', now),
  [...permissionsGranting('ReadVersion')],
];

/** One of two statements: administrators read everything, and their statement takes no parameters for it. */
export const readerStatement = <Row>(
  user: Principal,
  { all, readable }: Readonly<Record<'all' | 'readable', Statement<Row>>>,
  values: readonly unknown[],
): readonly [Statement<Row>, readonly unknown[]] => (user.isAdministrator ? [all, []] : [readable, values]);
