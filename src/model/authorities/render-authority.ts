import type { Model } from '../model.ts';
import type { StoredProperties } from '../values/stored.ts';

interface StoredAuthority {
  readonly id: string;
  readonly properties: StoredProperties;
}

/**
 * Returns the properties of a schema, except hidden ones, in the order of their declaration. Properties that are not
 * set are null.
 */
function renderProperties(
  model: Model,
  schema: 'user' | 'group',
  { values, hidden }: { values: Readonly<Record<string, unknown>>; hidden: readonly string[] },
): Record<string, unknown> {
  const names = [...(model.schemas.get(schema)?.properties.keys() ?? [])];
  return Object.fromEntries(
    names.filter((name) => !hidden.includes(name)).map((name) => [name, values[name] ?? null]),
  );
}

/**
 * Returns the properties of a user, without the password (§2.2).
 * @param groups the groups of which the user is a direct member
 */
export const renderUser = (
  model: Model,
  user: StoredAuthority,
  groups: readonly string[],
): Record<string, unknown> =>
  renderProperties(model, 'user', {
    values: { ...user.properties, username: user.id, groups },
    hidden: ['password'],
  });

const memberships = ['members', 'subGroups', 'parentGroups'];

/** Returns the properties of a group, without its members and parent groups (§2.3). */
export const renderGroup = (model: Model, group: StoredAuthority): Record<string, unknown> =>
  renderProperties(model, 'group', {
    values: { ...group.properties, groupname: group.id },
    hidden: memberships,
  });
