import { Invalid, Unauthenticated } from '../../errors.ts';
import type { AuthorityRow } from '../../loaders/authorities/authorities.ts';
import type { Scope } from '../../scope.ts';
import { recordEvents } from '../audit/audit.ts';
import { lockAuthority } from '../row-locks/lock-authorities.ts';
import { endLocked } from '../tokens/credentials.ts';
import { authorityEvent } from './events.ts';
import { noPasswordHere } from './password-origin.ts';
import { requireGoodPassword } from './password-rules.ts';
import { hashPassword, verifyPassword } from './passwords.ts';

/**
 * Changes the caller's password (§4.3). This revokes all of the user's credentials except those used for this request.
 * @throws Unauthenticated for a wrong old password, which counts as a failed log-in; TooManyRequests; Invalid if the
 * new password is empty or does not follow the rules; Forbidden if the user has no password on this server
 */
export async function changePassword(scope: Scope, old: string, password: string): Promise<AuthorityRow> {
  if (password === '') throw new Invalid('newPassword must not be empty');
  const {
    db,
    services: { attempts, config },
    user: { id, credential },
    options: { address, language },
  } = scope;
  const user = await lockAuthority(db, 'user', id, 'NO KEY UPDATE');
  const stored = await db.prisma.user.findUnique({ where: { id }, select: { passwordHash: true } });
  const before = stored?.passwordHash;
  if (!before) throw await noPasswordHere(scope, id);
  // `outside` retries the transaction and then finds the result by this key. The key contains the stored hash: if
  // another transaction changes the hash before the retry, the old password is compared with the new hash.
  const passwordHash = await db.outside(JSON.stringify([before, old, password]), () =>
    attempts.runCounted(address, id, async () =>
      (await verifyPassword(before, old)) ? hashPassword(password) : undefined,
    ),
  );
  if (passwordHash === undefined) throw new Unauthenticated('oldPassword is not the current password');
  requireGoodPassword(config, password, user, { field: 'newPassword', language });
  await scope.db.prisma.user.update({ where: { id }, data: { passwordHash }, select: { id: true } });
  await recordEvents(scope, [authorityEvent('user', 'modified', id)]);
  await endLocked(scope, id, credential);
  return user;
}
