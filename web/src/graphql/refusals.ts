import { permissionText } from '../permissions/names.ts';
import { text } from '../texts/text.ts';

/** The fields of an error's extensions that name its cause; docs/graphql.md describes them. */
export interface ErrorSubject {
  readonly permission?: string;
  readonly lockOwner?: string;
}

/**
 * The text for an error: in the language of the page if a permission or a lock caused it, else the server's message.
 */
export function refusalText(message: string, { permission, lockOwner }: ErrorSubject = {}): string {
  if (lockOwner !== undefined) return text('document.lockedBy', { user: lockOwner });
  if (permission !== undefined) return text('notGranted', { permission: permissionText(permission) });
  return message;
}
