import type { Statement } from '../../db/statement.ts';
import { aceUsernames } from '../../security/evaluate.ts';
import { type Permission, permissionsGranting } from '../../security/permissions.ts';
import type { Principal } from '../../security/principal.ts';

/**
 * SQL condition that is true if an effective ACL `a` grants a permission. The first applicable ACE decides; an ACE that
 * is not yet or no longer in effect does not apply. The condition is NULL, and thus not true, if no ACE applies.
 * @param parameters the parameters that hold the values from `readableValues`
 */
export const grantsSql = ([usernames, permissions, now]: readonly [string, string, string]): string => `(
  SELECT (e.ace -> 'granted')::boolean
  FROM jsonb_array_elements(a.entries) WITH ORDINALITY AS e (ace, position)
  WHERE e.ace ->> 'username' = ANY(${usernames}) AND e.ace ->> 'permission' = ANY(${permissions})
    AND coalesce(e.ace ->> 'begin' COLLATE "C" <= ${now}, true)
    AND coalesce(e.ace ->> 'end' COLLATE "C" >= ${now}, true)
  ORDER BY e.position LIMIT 1
)`;

/** `grantsSql` with numbered parameters. @param first the number of the first of three parameters. */
export const grantCondition = (first: number): string =>
  grantsSql([`$${first}::text[]`, `$${first + 1}::text[]`, `$${first + 2}::text`]);

/**
 * The table expression `readable`: those effective ACLs of certain documents `d` that grant a permission (§2.5).
 * Thousands of documents usually share a few ACLs, so evaluating each ACL once is much cheaper than evaluating it for
 * each document. This is meant for statements that read all of the documents anyway.
 * @param condition the condition that selects the documents; `$1` is the repository
 * @param first the number of the first of the three parameters from `readableValues`
 */
export const readableAcls = (from: string, condition: string, first: number): string =>
  `readable AS MATERIALIZED (
    SELECT a.id FROM effective_acl a WHERE a.repository = $1
      AND a.id IN (SELECT DISTINCT d.acl_id FROM ${from} WHERE ${condition}) AND ${grantCondition(first)}
  )`;

export const readableCondition = 'd.acl_id = ANY(ARRAY(SELECT id FROM readable))';

/** Selects the ACL of a document if it grants a permission. PostgreSQL memoizes the result for each ACL. */
const grantingAcl = (alias: string, grants: string): string => `
  SELECT FROM effective_acl a WHERE a.repository = ${alias}.repository AND a.id = ${alias}.acl_id AND ${grants}`;

/**
 * SQL condition that is true if the ACL of a document grants a permission.
 * @param grants an expression created by `grantsSql`
 */
export const isGrantedSql = (alias: string, grants: string): string =>
  `EXISTS (${grantingAcl(alias, grants)})`;

const grantsReadingSql = (first: number, alias: string): string =>
  grantsSql([
    `$${first}::text[]`,
    `CASE WHEN ${alias}.is_version THEN $${first + 3}::text[] ELSE $${first + 1}::text[] END`,
    `$${first + 2}::text`,
  ]);

/**
 * A join that checks documents `d` one by one and can stop once there are enough readable ones. This is suitable for
 * lists that end at a limit and for lists that can contain versions, where `readableAcls` would first collect the ACLs
 * of all candidates. `LIMIT 1` keeps the planner from starting with the ACLs, which would evaluate all of them.
 * @param first the number of the first of the four parameters from `readerValues`
 */
export const readableJoin = (first: number, alias = 'd'): string =>
  `CROSS JOIN LATERAL (${grantingAcl(alias, grantsReadingSql(first, alias))} LIMIT 1) granting`;

/** The same check as `readableJoin`, but as a condition on a document with the given alias. */
export const mayReadSql = (first: number, alias: string): string =>
  isGrantedSql(alias, grantsReadingSql(first, alias));

/**
 * SQL condition that is true if the caller can read a document `d`. This is meant for lists in which most documents
 * have an ACL that is known to grant Read, such as the ACL of their folder. Only the ACLs of other documents are
 * evaluated.
 * @param first the number of the first of five parameters: those from `readerValues`, followed by the ids of the known
 * ACLs
 */
export const readableUnlessKnown = (first: number): string =>
  `(NOT d.is_version AND d.acl_id = ANY($${first + 4}::uuid[]) OR ${mayReadSql(first, 'd')})`;

/**
 * The parameters of `grantsSql`: the names under which ACEs can refer to the user, the permissions that include the
 * given one, and the time.
 */
export const readableValues = (
  user: Principal,
  permission: Permission,
  now: string,
): [string[], string[], string] => [aceUsernames(user), [...permissionsGranting(permission)], now];

/**
 * The parameters of `readableJoin`: `readableValues` for Read, followed by the permissions that include ReadVersion.
 */
export const readerValues = (user: Principal, now: string): [string[], string[], string, string[]] => [
  ...readableValues(user, 'Read', now),
  [...permissionsGranting('ReadVersion')],
];

/**
 * Chooses between two statements: one without permission checks for administrators, who can read everything, and one
 * with them.
 * @param values the parameters that only the statement with permission checks takes
 */
export const readerStatement = <Row>(
  user: Principal,
  { all, readable }: Readonly<Record<'all' | 'readable', Statement<Row>>>,
  values: readonly unknown[],
): readonly [Statement<Row>, readonly unknown[]] => (user.isAdministrator ? [all, []] : [readable, values]);
