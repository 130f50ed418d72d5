import { enrichers } from '../../enrichers/index.ts';
import { fetchable } from '../../fetch/index.ts';
import { entityType, Field, merge, type Node, type Selection } from '../../selection.ts';
import type { Shape } from '../headers.ts';
import { page } from './page.ts';

/** What the enrichers named by a header add; nothing where there are none. */
function contextParameters(names: readonly string[] = []): Selection {
  const wanted = enrichers.user.filter(({ name }) => names.includes(name));
  if (wanted.length === 0) return {};
  const selections = wanted.map(({ name, select }): [string, Node] => [name, select]);
  return { contextParameters: Object.fromEntries(selections) };
}

/** §2.2: a user, with the data of `enrichers.user`. */
const userOf = (names: readonly string[] | undefined): Selection => ({
  'entity-type': entityType,
  id: true,
  properties: true,
  extendedGroups: { name: true, label: true, url: true },
  isAdministrator: true,
  isAnonymous: true,
  ...contextParameters(names),
});

/** §2.3: a group, with what `fetch.group` names. */
const groupOf = (names: readonly string[] = []): Selection =>
  merge(
    { 'entity-type': entityType, id: true, groupname: true, grouplabel: true, properties: true },
    ...names.map((name) => fetchable.group[name] ?? {}),
  );

/** In the results of a search a user says that there may be more to know. */
const isPartial = new Field({ name: '__typename', show: () => true });

/** Users and groups under a request's headers. */
export const authorityEntities = ({ enrichers: { user: wished }, fetch }: Shape) => {
  const user = userOf(wished);
  const group = groupOf(fetch.group);
  return {
    user,
    users: { ...page, entries: { ...user, isPartial } },
    group,
    groups: { ...page, entries: group },
    /** The answer to a membership made from the group's side (§4.4). */
    joinedGroup: merge(group, { memberUsers: true }),
    /** Whichever there is. */
    authority: { user, group },
  } satisfies Record<string, Selection>;
};
