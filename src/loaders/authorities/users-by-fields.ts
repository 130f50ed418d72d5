import { type Statement, statement } from '../../db/statement.ts';
import { isStorableText } from '../../model/values/storable.ts';
import { prefixPattern } from '../../query/like.ts';
import type { Scope } from '../../scope.ts';
import type { AuthorityRow } from './authorities.ts';

/** Searchable fields as SQL expressions; the first three have an index. */
const searchable = {
  username: 'lower(u.id)',
  firstName: "lower(u.properties ->> 'firstName')",
  lastName: "lower(u.properties ->> 'lastName')",
  email: "lower(u.properties ->> 'email')",
  company: "lower(u.properties ->> 'company')",
  tenantId: "lower(u.properties ->> 'tenantId')",
} as const;

export type SearchableField = keyof typeof searchable;
const fields = Object.keys(searchable) as SearchableField[];

// One statement for each set of fields, so that an index can be used; the prefixes are $2 and up. `OFFSET 0`
// keeps the planner from walking all ids in order until enough users match.
const queryBy = (given: readonly SearchableField[]): Statement => statement(`users-by-${given.join('-')}`)`
  SELECT f.id, f.properties FROM (
    SELECT u.id, u.properties FROM "user" u
    ${given.map((field, at) => `${at ? 'AND' : 'WHERE'} ${searchable[field]} LIKE lower($${at + 2}::text)`).join(' ')}
    ${given.length > 0 ? 'OFFSET 0' : ''}
  ) f ORDER BY f.id LIMIT $1::int`;

/** The first users by id whose fields have the given prefixes, case-insensitive. */
export const usersByFields =
  ({ db }: Scope) =>
  async (
    beginnings: Partial<Record<SearchableField, string | undefined>>,
    most: number,
  ): Promise<AuthorityRow[]> => {
    const given = fields.filter((field) => beginnings[field]);
    const wanted = given.map((field) => beginnings[field] ?? '');
    if (!wanted.every(isStorableText)) return [];
    return db.query<AuthorityRow>(queryBy(given), [most, ...wanted.map(prefixPattern)]);
  };
