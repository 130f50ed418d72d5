import { modelColumns } from '../../db/columns.ts';
import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import type { User } from '../../generated/prisma/client.ts';
import { isStorableText } from '../../model/values/storable.ts';
import { inIdOrder } from './lock-order.ts';

const select = 'SELECT credentials_ended_at AS "credentialsEndedAt" FROM "user" WHERE id = $1';

const queries = {
  SHARE: statement(
    'lock-credentials',
    modelColumns('User', 'credentialsEndedAt'),
  )`${select} ${inIdOrder('SHARE')}`,
  'NO KEY UPDATE': statement(
    'lock-credentials-alone',
    modelColumns('User', 'credentialsEndedAt'),
  )`${select} ${inIdOrder('NO KEY UPDATE')}`,
} as const;

/**
 * Locks a user who gets new credentials, so that nobody can revoke the user's credentials in the meantime.
 * @returns null if there is no such user
 */
export async function lockCredentials(
  db: Pick<Client, 'query'>,
  userId: string,
  mode: keyof typeof queries = 'SHARE',
): Promise<Pick<User, 'credentialsEndedAt'> | null> {
  if (!isStorableText(userId)) return null;
  const [row] = await db.query(queries[mode], [userId]);
  return row ?? null;
}
