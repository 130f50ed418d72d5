import { Avatar } from '../parts/avatar.tsx';
import { text } from '../texts/text.ts';
import { idOf } from './known-names.ts';
import { useName } from './names.ts';

interface PersonProps {
  /** The id of a user or group. It can have the prefix `user:` or `group:`, as the actors of tasks do. */
  readonly id: string;
}

/** The name of a user or group, with the id, with which users sign in, as its tooltip. */
export function Person({ id }: PersonProps) {
  const name = useName(id);
  return <span title={name === idOf(id) ? undefined : `${name} (${idOf(id)})`}>{name}</span>;
}

/** The initials of a user or group, to be shown next to the name. */
export const PersonAvatar = ({ id }: PersonProps) => <Avatar id={idOf(id)} name={useName(id)} />;

/** Says who has locked a document. */
export const LockedBy = ({ id }: PersonProps) => (
  <span title={id}>{text('document.lockedBy', { user: useName(id) })}</span>
);
