import { Forbidden } from '../errors.ts';
import type { Directory } from '../model/model.ts';
import { type Principal, powerUsers, requireAdministrator } from './principal.ts';

/** §4.5: system directories are for administrators, the others for all users. */
export const mayAccessDirectory = ({ isAdministrator }: Principal, { isSystem }: Directory): boolean =>
  isAdministrator || !isSystem;

/** @throws Forbidden */
export function requireDirectoryAccess(user: Principal, directory: Directory): void {
  if (!mayAccessDirectory(user, directory)) requireAdministrator(user, `use the directory ${directory.name}`);
}

/** §4.5: power users may change entries of directories that they may access. @throws Forbidden */
export function requireDirectoryEdit(user: Principal, directory: Directory): void {
  requireDirectoryAccess(user, directory);
  if (!user.isAdministrator && !user.groups.includes(powerUsers)) {
    throw new Forbidden('Not allowed to edit directory');
  }
}
