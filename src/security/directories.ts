import { Forbidden } from '../errors.ts';
import type { Directory } from '../model/model.ts';
import { type Principal, powerUsers, requireAdministrator } from './principal.ts';

/** §4.5: returns whether a user can access a directory. Only administrators can access system directories. */
export const mayAccessDirectory = ({ isAdministrator }: Principal, { isSystem }: Directory): boolean =>
  isAdministrator || !isSystem;

/** @throws Forbidden if the user cannot access the directory. */
export function requireDirectoryAccess(user: Principal, directory: Directory): void {
  if (!mayAccessDirectory(user, directory)) requireAdministrator(user, `use the directory ${directory.name}`);
}

/**
 * §4.5: checks that a user can change the entries of a directory. Administrators and power users can.
 * @throws Forbidden for other users
 */
export function requireDirectoryEdit(user: Principal, directory: Directory): void {
  requireDirectoryAccess(user, directory);
  if (!user.isAdministrator && !user.groups.includes(powerUsers)) {
    throw new Forbidden('Not allowed to edit directory');
  }
}
