import type { Query } from '../db/database.ts';
import type { Scope } from '../scope.ts';
import { type AuthorityRow, isPossible } from './authorities.ts';

const query: Query = {
  name: 'users-by-fields',
  text: `
    SELECT u.id, u.properties FROM "user" u
    WHERE NOT EXISTS (
      SELECT FROM jsonb_each_text($1::jsonb) AS wanted (name, beginning)
      WHERE NOT starts_with(
        lower(CASE wanted.name WHEN 'username' THEN u.id ELSE coalesce(u.properties ->> wanted.name, '') END),
        lower(wanted.beginning)
      )
    )
    ORDER BY u.id LIMIT $2::int`,
};

/** The first users, by id, each of whose fields begins as it should, in any case. */
export const usersByFields =
  ({ db }: Scope) =>
  async (beginnings: Readonly<Record<string, string>>, most: number): Promise<AuthorityRow[]> =>
    Object.values(beginnings).every(isPossible)
      ? db.query<AuthorityRow>(query, [JSON.stringify(beginnings), most])
      : [];
