import { permissionText } from '../permissions/names.ts';
import { text } from '../texts/text.ts';
import { knownName } from '../values/known-names.ts';

/**
 * The fields in an error's `extensions` that describe what the error is about, as documented in docs/graphql.md.
 */
export interface ErrorSubject {
  readonly permission?: string;
  readonly lockOwner?: string;
}

/**
 * Returns the text to show for an error. If the error was caused by a missing permission or a lock, the text is in the
 * language of the page; otherwise it is the server's message.
 */
export function refusalText(message: string, { permission, lockOwner }: ErrorSubject = {}): string {
  if (lockOwner !== undefined) return text('document.lockedBy', { user: knownName(lockOwner) });
  if (permission !== undefined) return text('notGranted', { permission: permissionText(permission) });
  return message;
}
