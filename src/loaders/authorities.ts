import type DataLoader from 'dataloader';
import type { Query } from '../db/database.ts';
import { quickForFew } from '../db/quick.ts';
import type { StoredProperties } from '../model/stored.ts';
import type { Scope } from '../scope.ts';
import { byKey, byPossibleKey } from './batch.ts';

/** Who rights can be given to: a user or a group. Ids of the two have nothing to do with each other. */
export type AuthorityKind = 'user' | 'group';

/** A user or a group as it is stored, but for what nobody is shown. */
export interface AuthorityRow {
  readonly id: string;
  /** By the names of the schema `user` or `group`; what follows from the id and the memberships is not here. */
  readonly properties: StoredProperties;
}

/** PostgreSQL has no text with NUL: nobody has such an id. */
export const isPossible = (id: string): boolean => !id.includes('\0');

/** A group that somebody is in. */
export interface GroupAround {
  readonly id: string;
  readonly label: string | null;
  /** Whether the user is a member of it, and not of a group inside it alone. */
  readonly isDirect: boolean;
}

/** A user found by id: wherever users are shown, so are their groups. */
export interface UserRow extends AuthorityRow {
  /** All groups that the user is in, directly or through other groups, by id. */
  readonly groups: readonly GroupAround[];
}

const usersQuery = quickForFew({
  name: 'users-by-id',
  text: `
    SELECT u.id, u.properties, around.groups
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
    WHERE u.id = ANY($1::text[])`,
});

const groupsQuery = quickForFew({
  name: 'groups-by-id',
  text: 'SELECT id, properties FROM "group" WHERE id = ANY($1::text[])',
});

const byIds = <Row extends AuthorityRow>(
  { db }: Scope,
  query: ReturnType<typeof quickForFew>,
): DataLoader<string, Row | null> =>
  byPossibleKey(
    isPossible,
    (ids) => db.query<Row>(query(ids), [ids]),
    ({ id }) => id,
  );

/** Users by id. */
export const usersById = (scope: Scope): DataLoader<string, UserRow | null> => byIds(scope, usersQuery);

/** Groups by id. */
export const groupsById = (scope: Scope): DataLoader<string, AuthorityRow | null> =>
  byIds(scope, groupsQuery);

/** All groups that a user is in who may have been found otherwise than by id. */
export const groupsAround = async (
  { userById }: { readonly userById: ReturnType<typeof usersById> },
  id: string,
): Promise<readonly GroupAround[]> => (await userById.load(id))?.groups ?? [];

/** What a group is asked for: who is in it, and what it is in, directly. */
export type Side = 'memberUsers' | 'memberGroups' | 'parentGroups';

const sides: readonly Side[] = ['memberUsers', 'memberGroups', 'parentGroups'];

/** All sides in one statement; the ids of each in one row, since a group may have very many members. */
const query: Query = {
  name: 'memberships',
  text: `
    SELECT 'memberUsers' AS side, group_id AS of, json_agg(member_id ORDER BY member_id) AS ids
    FROM user_membership WHERE group_id = ANY($1::text[]) GROUP BY group_id
    UNION ALL
    SELECT 'memberGroups', group_id, json_agg(member_id ORDER BY member_id)
    FROM group_membership WHERE group_id = ANY($2::text[]) GROUP BY group_id
    UNION ALL
    SELECT 'parentGroups', member_id, json_agg(group_id ORDER BY group_id)
    FROM group_membership WHERE member_id = ANY($3::text[]) GROUP BY member_id`,
};

const keyOf = (side: Side, group: string): string => `${side}/${group}`;

/** The groups whose one side is wanted, of keys of several sides. */
const groupsOf = (side: Side, keys: readonly string[]): string[] =>
  keys.filter((key) => key.startsWith(`${side}/`)).map((key) => key.slice(side.length + 1));

interface SideRow {
  readonly side: Side;
  readonly of: string;
  readonly ids: readonly string[];
}

/** The ids on a side of a group, in order. */
export function memberships({ db }: Scope): (side: Side, group: string) => Promise<readonly string[]> {
  const loader = byKey(
    (keys: readonly string[]) =>
      db.query<SideRow>(
        query,
        sides.map((side) => groupsOf(side, keys)),
      ),
    ({ side, of }) => keyOf(side, of),
  );
  return async (side, group) => (await loader.load(keyOf(side, group)))?.ids ?? [];
}
