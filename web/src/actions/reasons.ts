import type { User } from '../app/session.ts';
import { shortTime } from '../parts/time.tsx';
import { permissionText } from '../permissions/names.ts';
import { text } from '../texts/text.ts';
import { knownName } from '../values/known-names.ts';
import type { Actionable } from './subject.ts';

const may = ({ contextParameters }: Actionable, permission: string): boolean =>
  contextParameters.permissions.includes(permission);

/** Permissions that a lock of another user takes away. */
const reading: ReadonlySet<string> = new Set(['Read', 'ReadSecurity', 'ReadVersion', 'Browse']);

const isLockedFor = ({ lockOwner }: Actionable, user: User): boolean =>
  lockOwner !== null && lockOwner !== user.id && !user.isAdministrator;

const lockValues = ({ lockOwner, lockCreated }: Actionable) => ({
  user: knownName(lockOwner ?? ''),
  time: lockCreated ? shortTime(lockCreated) : '',
});

/** Returns why the user cannot unlock a document; undefined if the user can. */
export function reasonAgainstUnlocking(document: Actionable, user: User): string | undefined {
  const mayUnlock = !isLockedFor(document, user) || may(document, 'Unlock');
  return mayUnlock ? undefined : text('reason.unlock', lockValues(document));
}

/** Returns why an action that requires a permission is not possible for a document; undefined if it is possible. */
export function reasonAgainst(document: Actionable, permission: string, user: User): string | undefined {
  if (may(document, permission)) return undefined;
  if (isLockedFor(document, user) && !reading.has(permission))
    return text(may(document, 'Unlock') ? 'reason.lockedMayUnlock' : 'reason.locked', lockValues(document));
  return text('notGranted', { permission: permissionText(permission) });
}
