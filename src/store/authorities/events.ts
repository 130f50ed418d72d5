import type { AuthorityKind } from '../../loaders/authorities/authorities.ts';
import type { AuditEvent } from '../audit/audit.ts';

const category = 'userGroup';

/**
 * The log event for a change to a user or group.
 * @param changed the names of the changed properties. Their values are personal data, and are not logged.
 */
export const authorityEvent = (
  kind: AuthorityKind,
  how: 'created' | 'modified' | 'deleted',
  id: string,
  changed: readonly string[] = [],
): AuditEvent => ({
  eventId: `${kind}_${how}`,
  category,
  extended: { id, ...(changed.length > 0 && { changed }) },
});

/** The log event for a user or group that joins or leaves a group. */
export const membershipEvent = (
  kind: AuthorityKind,
  how: 'join' | 'leave',
  { member, group }: { readonly member: string; readonly group: string },
): AuditEvent => ({
  eventId: `${kind}_modified`,
  category,
  extended: { id: member, [how === 'join' ? 'joined' : 'left']: group },
});

/** The log event for a change to the credentials of a user, such as `{ ended: 'session' }`. */
export const credentialEvent = (userId: string, what: Readonly<Record<string, string>>): AuditEvent => ({
  eventId: 'user_modified',
  category,
  extended: { id: userId, ...what },
});
