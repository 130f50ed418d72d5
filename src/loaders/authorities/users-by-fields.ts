import { type Statement, statement } from '../../db/statement.ts';
import { isStorableText } from '../../model/values/storable.ts';
import { beginsIgnoringCase } from '../../query/like.ts';
import type { Scope } from '../../scope.ts';
import { type AuthorityRow, authorityRow } from './authorities.ts';

/** Searchable fields as SQL expressions whose lower case has an index. */
const searchable = {
  username: 'u.id',
  firstName: "u.properties ->> 'firstName'",
  lastName: "u.properties ->> 'lastName'",
  email: "u.properties ->> 'email'",
  company: "u.properties ->> 'company'",
  tenantId: "u.properties ->> 'tenantId'",
} as const;

export type SearchableField = keyof typeof searchable;
const fields = Object.keys(searchable) as SearchableField[];

// One statement for each set of fields; the prefixes are $2 and up. `OFFSET 0` keeps the planner from walking all ids
// in order until enough users match.
const queryBy = (given: readonly SearchableField[]): Statement<AuthorityRow> => statement(
  `users-by-${given.join('-')}`,
  authorityRow,
)`
  SELECT f.id, f.properties FROM (
    SELECT u.id, u.properties FROM "user" u
    ${given.map((field, at) => `${at ? 'AND' : 'WHERE'} ${beginsIgnoringCase(searchable[field], `$${at + 2}`)}`).join(' ')}
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
    return db.query(queryBy(given), [most, ...wanted]);
  };
