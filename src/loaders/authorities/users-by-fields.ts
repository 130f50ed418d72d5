import { type Statement, statement } from '../../db/statement.ts';
import { isStorableText } from '../../model/values/storable.ts';
import { beginsIgnoringCase } from '../../query/like.ts';
import type { Scope } from '../../scope.ts';
import { type AuthorityRow, authorityRow } from './authorities.ts';

/** The SQL expressions of the searchable fields. There is an index on the lowercase form of each. */
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

// There is a separate statement for each set of fields, with the prefixes as parameters from $2 on. `OFFSET 0` keeps
// the planner from walking through all ids in order until enough users match; instead, it looks up the matching users.
const queryBy = (names: readonly SearchableField[]): Statement<AuthorityRow> => statement(
  `users-by-${names.join('-')}`,
  authorityRow,
)`
  SELECT f.id, f.properties FROM (
    SELECT u.id, u.properties FROM "user" u
    ${names.map((field, at) => `${at ? 'AND' : 'WHERE'} ${beginsIgnoringCase(searchable[field], `$${at + 2}`)}`).join(' ')}
    ${names.length > 0 ? 'OFFSET 0' : ''}
  ) f ORDER BY f.id LIMIT $1::int`;

/** Finds users whose fields begin with the given prefixes, ignoring case. Returns the first of them, ordered by id. */
export const usersByFields =
  ({ db }: Scope) =>
  async (
    prefixes: Partial<Record<SearchableField, string | undefined>>,
    limit: number,
  ): Promise<AuthorityRow[]> => {
    const names = fields.filter((field) => prefixes[field]);
    const values = names.map((field) => prefixes[field] ?? '');
    if (!values.every(isStorableText)) return [];
    return db.query(queryBy(names), [limit, ...values]);
  };
