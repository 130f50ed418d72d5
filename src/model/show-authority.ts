import type { Model } from './model.ts';
import type { StoredProperties } from './stored.ts';

/** A user or a group as it is stored. */
interface Stored {
  readonly id: string;
  readonly properties: StoredProperties;
}

/** The properties of a schema but those hidden, in its order; unset ones are null. */
function shown(
  model: Model,
  schema: 'user' | 'group',
  { known, hidden }: { known: Readonly<Record<string, unknown>>; hidden: readonly string[] },
): Record<string, unknown> {
  const names = [...(model.schemas.get(schema)?.properties.keys() ?? [])];
  return Object.fromEntries(
    names.filter((name) => !hidden.includes(name)).map((name) => [name, known[name] ?? null]),
  );
}

/** §2.2: every property of a user but the password. @param groups those that the user is directly in. */
export const showUser = (model: Model, user: Stored, groups: readonly string[]): Record<string, unknown> =>
  shown(model, 'user', { known: { ...user.properties, username: user.id, groups }, hidden: ['password'] });

/** Fields of the schema that the memberships tell, and not the properties (§2.3). */
const memberships = ['members', 'subGroups', 'parentGroups'];

/** §2.3: every property of a group but those that tell memberships. */
export const showGroup = (model: Model, group: Stored): Record<string, unknown> =>
  shown(model, 'group', { known: { ...group.properties, groupname: group.id }, hidden: memberships });
