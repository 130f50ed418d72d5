import type { Model } from '../model.ts';
import type { StoredProperties } from '../values/stored.ts';

interface StoredAuthority {
  readonly id: string;
  readonly properties: StoredProperties;
}

/**
 * Returns the properties of a schema in the order of the schema, without the hidden ones. Unset properties are null.
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
 * §2.2: the properties of a user, without the password.
 * @param groups the groups that the user is a direct member of.
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

/** §2.3: the properties of a group, without its memberships. */
export const renderGroup = (model: Model, group: StoredAuthority): Record<string, unknown> =>
  renderProperties(model, 'group', {
    values: { ...group.properties, groupname: group.id },
    hidden: memberships,
  });
