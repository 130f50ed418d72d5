import { Avatar } from '../parts/avatar.tsx';
import { useValueLabel } from './suggestions.ts';

/** Shows the name of a user or group. The id can have the prefix `user:` or `group:`, as the actors of tasks do. */
export const Person = ({ id }: { readonly id: string }) => useValueLabel({ to: 'actor' }, id);

/** The initials of a user or group, to be shown next to the name. */
export function PersonAvatar({ id }: { readonly id: string }) {
  const name = useValueLabel({ to: 'actor' }, id);
  return <Avatar id={id.replace(/^(user|group):/, '')} name={name} />;
}
