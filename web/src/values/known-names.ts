import { queries } from '../graphql/queries.ts';

/** The id of a user or group without the prefix `user:` or `group:`, which the actors of tasks have. */
export const idOf = (actor: string): string => actor.replace(/^(user|group):/, '');

/** The cache key of the name of a user or group. */
export const nameKey = (id: string): readonly string[] => ['name', id];

/**
 * Returns the name of a user or group if it has been loaded, and otherwise the id. It is for texts that are composed
 * outside of components, such as errors; `useNames` also loads the names.
 */
export const knownName = (id: string): string => queries.getQueryData<string>(nameKey(id)) ?? id;
