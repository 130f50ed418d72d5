import { useQueries } from '@tanstack/react-query';
import DataLoader from 'dataloader';
import { send } from '../graphql/client.ts';
import { principalNames } from '../graphql/operations.ts';
import { queries } from '../graphql/queries.ts';
import { idOf, nameKey } from './known-names.ts';

/** The first and last name of a user; empty if the user has none. */
export const fullName = (properties: unknown): string => {
  const { firstName, lastName } = properties as Record<string, string | null>;
  return [firstName, lastName].filter(Boolean).join(' ');
};

/** The full name of a user, or the id if the user has no name. */
export const userName = (id: string, properties: unknown): string => fullName(properties) || id;

/** Loads the names of users and groups. All names that are requested at the same time are loaded with one request. */
const loader = new DataLoader<string, string>(
  async (ids) => {
    const { usersByIds, groupsByIds } = await send(principalNames, { ids: [...ids] });
    const groups = groupsByIds.flatMap((group) => (group ? [[group.id, group.grouplabel] as const] : []));
    const users = usersByIds.flatMap((user) => (user ? [[user.id, fullName(user.properties)] as const] : []));
    const names = new Map([...groups, ...users]);
    return ids.map((id) => names.get(id) || id);
  },
  { cache: false, maxBatchSize: 100 },
);

const nameQuery = (id: string) => ({
  queryKey: nameKey(id),
  queryFn: () => loader.load(id),
  staleTime: 60_000,
});

/**
 * Loads the names of users and groups, and returns a function that looks them up. The ids can have the prefixes of
 * actors. The function returns the id itself for a name that has not been loaded yet or does not exist.
 */
export function useNames(actors: readonly string[]): (actor: string) => string {
  const ids = [...new Set(actors.map(idOf))].filter((id) => id !== '');
  const names = useQueries({
    queries: ids.map(nameQuery),
    combine: (results) => new Map(results.map(({ data }, index) => [ids[index], data])),
  });
  return (actor) => names.get(idOf(actor)) ?? idOf(actor);
}

/** Returns the name of one user or group; see `useNames`. */
export const useName = (actor: string): string => useNames([actor])(actor);

/** Loads the names of users and groups, for a notification. If they cannot be loaded, it returns the ids. */
export const loadNames = (ids: readonly string[]): Promise<string[]> =>
  Promise.all(ids.map((id) => queries.fetchQuery(nameQuery(id)).catch(() => id)));
