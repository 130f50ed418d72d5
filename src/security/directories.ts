import { Forbidden } from '../errors.ts';
import type { Directory } from '../model/model.ts';
import type { Principal } from '../scope.ts';

/** The group whose members may edit vocabularies. */
const editors = 'powerusers';

/** §4.5: everybody may see a directory, except that system directories are for administrators. */
export const maySeeDirectory = ({ isAdministrator }: Principal, { isSystem }: Directory): boolean =>
  isAdministrator || !isSystem;

/** @throws Forbidden */
export function requireDirectorySight(user: Principal, directory: Directory): void {
  if (!maySeeDirectory(user, directory)) {
    throw new Forbidden(`the directory ${directory.name} is for administrators only`);
  }
}

/** §4.5: administrators and power users may change entries; of system directories, administrators alone. @throws Forbidden */
export function requireDirectoryEdit(user: Principal, directory: Directory): void {
  requireDirectorySight(user, directory);
  if (!user.isAdministrator && !user.groups.includes(editors)) {
    throw new Forbidden('Not allowed to edit directory');
  }
}
