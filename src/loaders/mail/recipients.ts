import { typed } from '../../db/columns.ts';
import { statement } from '../../db/statement.ts';
import type { Language } from '../../model/labels.ts';
import type { Scope } from '../../scope.ts';

/** A user who can be written to, by the user's own name or that of a group. */
interface Recipient {
  readonly kind: 'user' | 'group';
  readonly name: string;
  readonly userId: string;
  readonly email: string;
  /** Null until the user chooses one. */
  readonly language: Language | null;
}

const query = statement('mail-recipients', {
  kind: typed<Recipient['kind']>('text'),
  name: 'text',
  userId: 'text',
  email: 'text',
  language: typed<Language | null>('text?'),
})`
  WITH RECURSIVE inside (root, id) AS (
    SELECT g.id, g.id FROM "group" g WHERE g.id = ANY($2::text[])
    UNION
    SELECT inside.root, m.member_id FROM inside JOIN group_membership m ON m.group_id = inside.id
  ), named AS (
    SELECT 'user' AS kind, id AS name, id AS user_id FROM "user" WHERE id = ANY($1::text[])
    UNION
    SELECT 'group', inside.root, m.member_id FROM inside JOIN user_membership m ON m.group_id = inside.id
  )
  SELECT named.kind, named.name, u.id AS "userId", u.properties ->> 'email' AS email, u.language
  FROM named JOIN "user" u ON u.id = named.user_id
  WHERE u.properties ->> 'email' <> ''
  ORDER BY 1, 2, 3 LIMIT $3::int`;

/** Users, and the members of groups directly and through other groups, who have an e-mail address. */
export async function recipientsOf(
  { db }: Pick<Scope, 'db'>,
  { users, groups }: { readonly users: readonly string[]; readonly groups: readonly string[] },
  most: number,
): Promise<Recipient[]> {
  const storable = (names: readonly string[]) => names.filter((name) => !name.includes('\0'));
  if (users.length + groups.length === 0) return [];
  return db.query(query, [storable(users), storable(groups), most]);
}
