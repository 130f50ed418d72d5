import { typed } from '../../db/columns.ts';
import { statement } from '../../db/statement.ts';
import type { Language } from '../../model/labels.ts';
import type { Scope } from '../../scope.ts';

/** A user who receives an email that is addressed to the user or to a group. */
interface Recipient {
  /** Whether the email is addressed to the user or to a group. */
  readonly kind: 'user' | 'group';
  /** The name of the user or group to which the email is addressed. */
  readonly name: string;
  readonly userId: string;
  readonly email: string;
  /** The language of emails to the user; null until the user chooses one. */
  readonly language: Language | null;
}

// The recursive table `inside` pairs each addressed group with itself and all groups contained in it, and `named` adds
// their members to the addressed users. UNION drops duplicates, so the recursion ends even if groups form a cycle, and
// each user appears once per name.
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

/**
 * Finds the users with an email address among the given users and the direct and indirect members of the given groups.
 */
export async function recipientsOf(
  { db }: Pick<Scope, 'db'>,
  { users, groups }: { readonly users: readonly string[]; readonly groups: readonly string[] },
  limit: number,
): Promise<Recipient[]> {
  const storable = (names: readonly string[]) => names.filter((name) => !name.includes('\0'));
  if (users.length + groups.length === 0) return [];
  return db.query(query, [storable(users), storable(groups), limit]);
}
