import type { Query } from '../../db/database.ts';
import { Invalid } from '../../errors.ts';
import { requireStorable } from '../../model/storable.ts';
import type { Scope } from '../../scope.ts';

/** Users by `user:NAME`, groups by `group:NAME`, and by a bare name the user, else the group. */
const query: Query = {
  name: 'actors-by-names',
  text: `
    SELECT wanted.name, coalesce('user:' || u.id, 'group:' || g.id) AS actor FROM unnest($1::text[]) AS wanted (name)
    LEFT JOIN "user" u ON NOT starts_with(wanted.name, 'group:')
      AND u.id = CASE WHEN starts_with(wanted.name, 'user:') THEN substr(wanted.name, 6) ELSE wanted.name END
    LEFT JOIN "group" g ON NOT starts_with(wanted.name, 'user:')
      AND g.id = CASE WHEN starts_with(wanted.name, 'group:') THEN substr(wanted.name, 7) ELSE wanted.name END`,
};

async function find({ db }: Scope, names: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
  requireStorable(names);
  const rows = await db.query<{ name: string; actor: string | null }>(query, [[...new Set(names)]]);
  return new Map(rows.map(({ name, actor }) => [name, actor]));
}

/**
 * Users and groups as actors are stored: each once, in their order.
 * @throws Invalid naming those whom there are not, or when nobody is named.
 */
export async function actorsNamed(scope: Scope, names: readonly string[], from: string): Promise<string[]> {
  if (names.length === 0) throw new Invalid(`${from}: nobody is named`);
  const found = await find(scope, names);
  const unknown = names.filter((name) => !found.get(name));
  if (unknown.length > 0)
    throw new Invalid(`${from}: there is neither a user nor a group ${unknown.join(', ')}`);
  return [...new Set(names.map((name) => found.get(name) ?? name))];
}

/** The same of names that were right once: whoever is gone since keeps the place, which somebody else may be given. */
export async function actorsOnce(scope: Scope, names: readonly string[]): Promise<string[]> {
  const found = await find(scope, names);
  const asUser = (name: string) => (/^(user|group):/.test(name) ? name : `user:${name}`);
  return [...new Set(names.map((name) => found.get(name) ?? asUser(name)))];
}

/** The name by which ACEs mean an actor. */
export const nameOfActor = (actor: string): string => actor.replace(/^(user|group):/, '');
