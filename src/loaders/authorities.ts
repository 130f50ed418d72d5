import type DataLoader from 'dataloader';
import type { Query } from '../db/database.ts';
import { quickForFew } from '../db/quick.ts';
import type { StoredProperties } from '../model/stored.ts';
import type { Scope } from '../scope.ts';
import { byKey, listsByKey } from './batch.ts';

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

const byIds = (kind: AuthorityKind) =>
  quickForFew({
    name: `${kind}s-by-id`,
    text: `SELECT id, properties FROM "${kind}" WHERE id = ANY($1::text[])`,
  });

const queries = { user: byIds('user'), group: byIds('group') };

/** Users, or groups, by id. */
export function authorityById({ db }: Scope, kind: AuthorityKind): DataLoader<string, AuthorityRow | null> {
  return byKey(
    async (ids) => {
      const known = ids.filter(isPossible);
      return known.length > 0 ? db.query<AuthorityRow>(queries[kind](known), [known]) : [];
    },
    ({ id }) => id,
  );
}

/** A group that somebody is in. */
export interface GroupAround {
  readonly id: string;
  readonly label: string | null;
  /** Whether the user is a member of it, and not of a group inside it alone. */
  readonly isDirect: boolean;
}

const around = quickForFew({
  name: 'groups-around-users',
  text: `
    WITH RECURSIVE above (of, id, is_direct) AS (
      SELECT member_id, group_id, true FROM user_membership WHERE member_id = ANY($1::text[])
      UNION
      SELECT above.of, m.group_id, false FROM above JOIN group_membership m ON m.member_id = above.id
    )
    SELECT above.of, g.id, g.properties ->> 'grouplabel' AS label, bool_or(above.is_direct) AS "isDirect"
    FROM above JOIN "group" g ON g.id = above.id
    GROUP BY above.of, g.id ORDER BY above.of, g.id`,
});

/** All groups that users are in, directly or through other groups, by the user's id. */
export function groupsAround({ db }: Scope): DataLoader<string, readonly GroupAround[]> {
  return listsByKey(
    (users) => db.query<GroupAround & { of: string }>(around(users), [users.filter(isPossible)]),
    ({ of }) => of,
  );
}

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
