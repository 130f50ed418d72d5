import { statement } from '../../db/statement.ts';
import { Invalid, joinFew } from '../../errors.ts';
import { requireStorable } from '../../model/values/storable.ts';
import type { Scope } from '../../scope.ts';

/** `user:NAME`, `group:NAME`, or a bare name: the user, else the group. */
const query = statement('actors-by-names', { name: 'text', actor: 'text?' })`
  SELECT wanted.name, coalesce('user:' || u.id, 'group:' || g.id) AS actor FROM unnest($1::text[]) AS wanted (name)
  LEFT JOIN "user" u ON NOT starts_with(wanted.name, 'group:')
    AND u.id = CASE WHEN starts_with(wanted.name, 'user:') THEN substr(wanted.name, 6) ELSE wanted.name END
  LEFT JOIN "group" g ON NOT starts_with(wanted.name, 'user:')
    AND g.id = CASE WHEN starts_with(wanted.name, 'group:') THEN substr(wanted.name, 7) ELSE wanted.name END`;

async function find({ db }: Scope, names: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
  requireStorable(names);
  const rows = await db.query(query, [[...new Set(names)]]);
  return new Map(rows.map(({ name, actor }) => [name, actor]));
}

/** Of one task: each of them can read its documents. */
const mostActors = 1_000;

/** Distinct actors in their stored form. @throws Invalid for unknown names, too many names and an empty list. */
export async function resolveActors(scope: Scope, names: readonly string[], from: string): Promise<string[]> {
  if (names.length === 0) throw new Invalid(`${from}: no actor is named`);
  if (names.length > mostActors)
    throw new Invalid(`${from}: has ${names.length} names; ${mostActors} are the most`);
  const found = await find(scope, names);
  const unknown = names.filter((name) => !found.get(name));
  if (unknown.length > 0)
    throw new Invalid(`${from}: there is neither a user nor a group ${joinFew(unknown, ', ')}`);
  return [...new Set(names.map((name) => found.get(name) ?? name))];
}

/** For names that were valid earlier: deleted users stay actors, so that the task can be reassigned. */
export async function resolveFormerActors(scope: Scope, names: readonly string[]): Promise<string[]> {
  const found = await find(scope, names);
  const asUser = (name: string) => (/^(user|group):/.test(name) ? name : `user:${name}`);
  return [...new Set(names.map((name) => found.get(name) ?? asUser(name)))];
}

export const nameOfActor = (actor: string): string => actor.replace(/^(user|group):/, '');
