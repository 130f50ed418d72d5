import { statement } from '../../db/statement.ts';
import { Invalid, joinFew } from '../../errors.ts';
import { requireStorable } from '../../model/values/storable.ts';
import type { Scope } from '../../scope.ts';

/**
 * Finds actors by `user:NAME`, `group:NAME` or a name without a prefix, which stands for the user with that name or, if
 * there is none, for the group.
 */
const query = statement('actors-by-names', { name: 'text', actor: 'text?' })`
  SELECT input.name, coalesce('user:' || u.id, 'group:' || g.id) AS actor FROM unnest($1::text[]) AS input (name)
  LEFT JOIN "user" u ON NOT starts_with(input.name, 'group:')
    AND u.id = CASE WHEN starts_with(input.name, 'user:') THEN substr(input.name, 6) ELSE input.name END
  LEFT JOIN "group" g ON NOT starts_with(input.name, 'user:')
    AND g.id = CASE WHEN starts_with(input.name, 'group:') THEN substr(input.name, 7) ELSE input.name END`;

async function find({ db }: Scope, names: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
  requireStorable(names);
  const rows = await db.query(query, [[...new Set(names)]]);
  return new Map(rows.map(({ name, actor }) => [name, actor]));
}

/**
 * The maximum number of actors of a task. It is limited because each of them gets permissions on the task's documents.
 */
const maxActors = 1_000;

/**
 * The actors with the given names, in their stored form and without duplicates.
 * @throws Invalid for unknown names, too many names or an empty list
 */
export async function resolveActors(scope: Scope, names: readonly string[], from: string): Promise<string[]> {
  if (names.length === 0) throw new Invalid(`${from}: at least one actor is required`);
  if (names.length > maxActors)
    throw new Invalid(`${from} must have at most ${maxActors} names; got ${names.length}`);
  const found = await find(scope, names);
  const unknown = names.filter((name) => !found.get(name));
  if (unknown.length > 0)
    throw new Invalid(`${from}: there is no user or group named ${joinFew(unknown, ', ')}`);
  return [...new Set(names.map((name) => found.get(name) ?? name))];
}

/**
 * Returns the actors with names that were validated earlier. Deleted users remain actors, so that their task can be
 * reassigned.
 */
export async function resolveFormerActors(scope: Scope, names: readonly string[]): Promise<string[]> {
  const found = await find(scope, names);
  const asUser = (name: string) => (/^(user|group):/.test(name) ? name : `user:${name}`);
  return [...new Set(names.map((name) => found.get(name) ?? asUser(name)))];
}

/** The name of an actor, without `user:` or `group:`. */
export const nameOfActor = (actor: string): string => actor.replace(/^(user|group):/, '');
