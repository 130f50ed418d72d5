import { useValueLabel } from './suggestions.ts';

/** The name of a user or group. The id may have the prefix `user:` or `group:`, as the actors of tasks do. */
export const Person = ({ id }: { readonly id: string }) => useValueLabel({ to: 'actor' }, id);
