import { useValueLabel } from './suggestions.ts';

/** The name of a user or group, whose id may be prefixed as that of an actor. */
export const Person = ({ id }: { readonly id: string }) => useValueLabel({ to: 'actor' }, id);
