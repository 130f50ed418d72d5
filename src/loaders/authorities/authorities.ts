import type DataLoader from 'dataloader';
import { typed } from '../../db/columns.ts';
import { statement } from '../../db/statement.ts';
import type { Language } from '../../model/labels.ts';
import { isPossibleKey } from '../../model/names.ts';
import type { StoredProperties } from '../../model/values/stored.ts';
import type { Scope } from '../../scope.ts';
import { batchLoader, quickForFewKeys, validKeyBatchLoader } from '../batch.ts';

/** The kind of an authority, that is, whether it is a user or a group. A user and a group can have the same id. */
export type AuthorityKind = 'user' | 'group';

/** A stored user or group, without the password hash. */
export interface AuthorityRow {
  readonly id: string;
  /** The values of the schema's fields, by field name without a prefix, except for the id and the memberships. */
  readonly properties: StoredProperties;
}

export const authorityRow = { id: 'text', properties: typed<StoredProperties>('jsonb') } as const;

export interface UserGroup {
  readonly id: string;
  readonly label: string | null;
  /** False if the user belongs to the group only through another group. */
  readonly isDirect: boolean;
}

/**
 * A user along with the groups that the user belongs to. One statement reads both, because every response that contains
 * a user shows the groups.
 */
export interface UserRow extends AuthorityRow {
  /** Direct and indirect groups, ordered by id. */
  readonly groups: readonly UserGroup[];
  /** The language of emails to the user; null until the user chooses one. */
  readonly language: Language | null;
  /** Whether the user gets emails about comments immediately. */
  readonly isNotified: boolean;
}

// The recursive table `above` climbs from the user's direct groups to the groups that contain them; UNION drops
// duplicates, so the recursion also ends if there is a cycle. A group can be reached on several paths, so `known` has
// one row for each group, and the membership is direct if any of the paths is. Memberships in groups that do not exist
// are omitted.
const usersQuery = quickForFewKeys(statement('users-by-id', {
  ...authorityRow,
  language: typed<Language | null>('text?'),
  isNotified: 'bool',
  groups: typed<readonly UserGroup[]>('json'),
})`
  SELECT u.id, u.properties, u.language, u.is_notified AS "isNotified", around.groups
  FROM "user" u CROSS JOIN LATERAL (
    WITH RECURSIVE above (id, is_direct) AS (
      SELECT group_id, true FROM user_membership WHERE member_id = u.id
      UNION
      SELECT m.group_id, false FROM above JOIN group_membership m ON m.member_id = above.id
    ), known (id, label, "isDirect") AS (
      SELECT g.id, g.properties ->> 'grouplabel', bool_or(above.is_direct)
      FROM above JOIN "group" g ON g.id = above.id GROUP BY g.id
    )
    SELECT coalesce(json_agg(known ORDER BY known.id), '[]') AS groups FROM known
  ) around
  WHERE u.id = ANY($1::text[])`);

export const usersById = ({ db }: Scope): DataLoader<string, UserRow | null> =>
  validKeyBatchLoader(
    isPossibleKey,
    (ids) => db.query(usersQuery(ids), [ids]),
    ({ id }) => id,
  );

export const groupsById = ({ db }: Scope): DataLoader<string, AuthorityRow | null> =>
  validKeyBatchLoader(
    isPossibleKey,
    (ids) => db.prisma.group.findMany({ where: { id: { in: [...ids] } } }) as Promise<AuthorityRow[]>,
    ({ id }) => id,
  );

/** Returns the groups of a user whose row was read without them. */
export const groupsOfUser = async (
  { userById }: { readonly userById: ReturnType<typeof usersById> },
  id: string,
): Promise<readonly UserGroup[]> => (await userById.load(id))?.groups ?? [];

/** Direct relations of a group (§10.3). */
export type GroupRelation = 'memberUsers' | 'memberGroups' | 'parentGroups';

const sides: readonly GroupRelation[] = ['memberUsers', 'memberGroups', 'parentGroups'];

/**
 * Reads all relations of groups with one statement. The ids in a relation are returned as one JSON array, because a
 * group can have very many members, and one row for each would cost much more.
 */
const query = statement('memberships', {
  side: typed<GroupRelation>('text'),
  of: 'text',
  ids: typed<readonly string[]>('json'),
})`
  SELECT 'memberUsers' AS side, group_id AS of, json_agg(member_id ORDER BY member_id) AS ids
  FROM user_membership WHERE group_id = ANY($1::text[]) GROUP BY group_id
  UNION ALL
  SELECT 'memberGroups', group_id, json_agg(member_id ORDER BY member_id)
  FROM group_membership WHERE group_id = ANY($2::text[]) GROUP BY group_id
  UNION ALL
  SELECT 'parentGroups', member_id, json_agg(group_id ORDER BY group_id)
  FROM group_membership WHERE member_id = ANY($3::text[]) GROUP BY member_id`;

const keyOf = (side: GroupRelation, group: string): string => `${side}/${group}`;

const groupsOf = (side: GroupRelation, keys: readonly string[]): string[] =>
  keys.filter((key) => key.startsWith(`${side}/`)).map((key) => key.slice(side.length + 1));

export function groupMemberships({
  db,
}: Scope): (side: GroupRelation, group: string) => Promise<readonly string[]> {
  const loader = batchLoader(
    (keys: readonly string[]) =>
      db.query(
        query,
        sides.map((side) => groupsOf(side, keys)),
      ),
    ({ side, of }) => keyOf(side, of),
  );
  return async (side, group) => (await loader.load(keyOf(side, group)))?.ids ?? [];
}
