import { Forbidden } from '../errors.ts';
import type { Principal } from '../scope.ts';

/** Permissions are not evaluated yet: until they are, nobody sees a document who would not pass them all. */
export function requireSight({ id, isAdministrator }: Principal): void {
  if (!isAdministrator) throw new Forbidden(`documents are shown to administrators only, and ${id} is none`);
}
