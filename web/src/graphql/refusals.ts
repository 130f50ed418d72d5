import { permissionText } from '../permissions/names.ts';
import { text } from '../texts/text.ts';

/** What an error is about: the fields of its extensions, which docs/graphql.md describes. */
export interface ErrorSubject {
  readonly permission?: string;
  readonly lockOwner?: string;
}

/** A refusal in the language of the page where its fields say what is missing; otherwise the message of the server. */
export function refusalText(message: string, { permission, lockOwner }: ErrorSubject = {}): string {
  if (lockOwner !== undefined) return text('document.lockedBy', { user: lockOwner });
  if (permission !== undefined) return text('notGranted', { permission: permissionText(permission) });
  return message;
}
