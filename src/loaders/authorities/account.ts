import { modelColumns } from '../../db/columns.ts';
import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import type { User } from '../../generated/prisma/client.ts';
import { isPossibleKey } from '../../model/names.ts';

/** The data of a user that authentication needs, including the ids of all direct and indirect groups. */
export interface Account extends Pick<User, 'id' | 'passwordHash' | 'credentialsEndedAt'> {
  readonly groups: readonly string[];
}

const query = statement('account', {
  ...modelColumns('User', 'id', 'passwordHash', 'credentialsEndedAt'),
  groups: 'text[]',
})`
  WITH RECURSIVE above (id) AS (
    SELECT group_id FROM user_membership WHERE member_id = $1
    UNION
    SELECT m.group_id FROM above JOIN group_membership m ON m.member_id = above.id
  )
  SELECT u.id, u.password_hash AS "passwordHash", u.credentials_ended_at AS "credentialsEndedAt",
    ARRAY(SELECT id FROM above ORDER BY id) AS groups
  FROM "user" u WHERE u.id = $1`;

/** Reads an account with one statement, because every log-in that is not cached waits for it. */
export async function accountOf(db: Pick<Client, 'query'>, id: string): Promise<Account | null> {
  if (!isPossibleKey(id)) return null;
  const [account] = await db.query(query, [id]);
  return account ?? null;
}
