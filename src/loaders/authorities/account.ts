import { modelColumns } from '../../db/columns.ts';
import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import type { User } from '../../generated/prisma/client.ts';
import { isPossibleKey } from '../../model/names.ts';
import type { Using } from '../../scope.ts';

/** The data of a user that authentication needs, including the ids of all direct and indirect groups. */
export interface Account extends Pick<User, 'id' | 'passwordHash' | 'credentialsEndedAt'> {
  readonly groups: readonly string[];
  readonly hasSecondFactor: boolean;
}

const query = statement('account', {
  ...modelColumns('User', 'id', 'passwordHash', 'credentialsEndedAt'),
  groups: 'text[]',
  hasSecondFactor: 'bool',
})`
  WITH RECURSIVE above (id) AS (
    SELECT group_id FROM user_membership WHERE member_id = $1
    UNION
    SELECT m.group_id FROM above JOIN group_membership m ON m.member_id = above.id
  )
  SELECT u.id, u.password_hash AS "passwordHash", u.credentials_ended_at AS "credentialsEndedAt",
    ARRAY(SELECT id FROM above ORDER BY id) AS groups,
    EXISTS (SELECT 1 FROM second_factor f WHERE f.user_id = u.id) AS "hasSecondFactor"
  FROM "user" u WHERE u.id = $1 AND (u.password_hash IS NOT NULL
    OR NOT EXISTS (SELECT 1 FROM identity i WHERE i.user_id = u.id)
    OR EXISTS (SELECT 1 FROM identity i WHERE i.user_id = u.id AND i.ended_at IS NULL AND i.provider = ANY($2::text[])))`;

/**
 * Reads an account with one statement, because every log-in that is not cached waits for it. Users who have identities
 * but no password are disabled, and have no account, while all of their identities have ended or belong to providers
 * that are not in IDENTITY_FILE.
 */
export async function accountOf(
  db: Pick<Client, 'query'>,
  id: string,
  { identityProviders }: Using<'identityProviders'>['services'],
): Promise<Account | null> {
  if (!isPossibleKey(id)) return null;
  const [account] = await db.query(query, [id, identityProviders.map(({ name }) => name)]);
  return account ?? null;
}
