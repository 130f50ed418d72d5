import type { Query } from '../../db/database.ts';
import { Invalid, Unauthenticated } from '../../errors.ts';
import type { AuthorityRow } from '../../loaders/authorities.ts';
import type { Scope } from '../../scope.ts';
import { record } from '../audit.ts';
import { hashPassword, verifyPassword } from '../passwords.ts';
import { changed } from './events.ts';
import { hold } from './hold.ts';

const storedHash: Query = {
  name: 'password-hash',
  text: 'SELECT password_hash AS "passwordHash" FROM "user" WHERE id = $1',
};

/**
 * Gives the caller another password (§4.3).
 * @throws Unauthenticated when the old one is not right, which counts as a failed log-in; TooManyRequests after too
 *   many; Invalid when the new one is empty.
 */
export async function changePassword(scope: Scope, old: string, password: string): Promise<AuthorityRow> {
  if (password === '') throw new Invalid('newPassword: is empty');
  const {
    user: { id },
    attempts,
    options: { address },
  } = scope;
  const user = await hold(scope.db, 'user', id, 'NO KEY UPDATE');
  attempts.admit(address, id); // while the row is held: of many at once each knows of the failures before it
  const [stored] = await scope.db.query<{ passwordHash: string | null }>(storedHash, [id]);
  if (!(await verifyPassword(stored?.passwordHash, old))) {
    attempts.failed(address, id);
    throw new Unauthenticated('oldPassword: is wrong');
  }
  const passwordHash = await hashPassword(password);
  await scope.db.prisma.user.update({ where: { id }, data: { passwordHash }, select: { id: true } });
  await record(scope, [changed('user', 'modified', id)]);
  await scope.db.announce('principals');
  return user;
}
