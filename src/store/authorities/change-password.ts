import { Invalid, Unauthenticated } from '../../errors.ts';
import type { AuthorityRow } from '../../loaders/authorities/authorities.ts';
import type { Scope } from '../../scope.ts';
import { recordEvents } from '../audit/audit.ts';
import { lockAuthority } from '../row-locks/lock-authorities.ts';
import { endLocked } from '../tokens/credentials.ts';
import { authorityEvent } from './events.ts';
import { hashPassword, verifyPassword } from './passwords.ts';

/**
 * Changes the caller's password (§4.3), which ends all credentials but that of the request.
 * @throws Unauthenticated for a wrong old password, which counts as a failed log-in; TooManyRequests; Invalid
 * when the new one is empty.
 */
export async function changePassword(scope: Scope, old: string, password: string): Promise<AuthorityRow> {
  if (password === '') throw new Invalid('newPassword: is empty');
  const {
    user: { id, credential },
    attempts,
    options: { address },
  } = scope;
  const user = await lockAuthority(scope.db, 'user', id, 'NO KEY UPDATE');
  attempts.requireNotBlocked(address, id); // while the row is held: of many at once each knows of the failures before it
  const stored = await scope.db.prisma.user.findUnique({ where: { id }, select: { passwordHash: true } });
  if (!(await verifyPassword(stored?.passwordHash, old))) {
    attempts.recordFailure(address, id);
    throw new Unauthenticated('oldPassword: is wrong');
  }
  const passwordHash = await hashPassword(password);
  await scope.db.prisma.user.update({ where: { id }, data: { passwordHash }, select: { id: true } });
  await recordEvents(scope, [authorityEvent('user', 'modified', id)]);
  await endLocked(scope, id, credential);
  return user;
}
