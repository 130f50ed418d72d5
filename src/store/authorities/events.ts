import type { AuthorityKind } from '../../loaders/authorities.ts';
import type { Event } from '../audit.ts';

/** The category of what happens to users and groups (§2.6). */
const category = 'userGroup';

/** What happened to a user or a group: `user_created`. */
export const changed = (kind: AuthorityKind, how: 'created' | 'modified' | 'deleted', id: string): Event => ({
  ...{ eventId: `${kind}_${how}`, category, extended: { id } },
});

/** A user or a group joined a group, or left it. */
export const moved = (
  kind: AuthorityKind,
  how: 'join' | 'leave',
  { member, group }: { readonly member: string; readonly group: string },
): Event => ({
  ...{ eventId: `${kind}_modified`, category },
  extended: { id: member, [how === 'join' ? 'joined' : 'left']: group },
});
