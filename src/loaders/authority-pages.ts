import type DataLoader from 'dataloader';
import type { Query } from '../db/database.ts';
import { beginningWith } from '../db/like.ts';
import type { Scope } from '../scope.ts';
import { type AuthorityKind, type AuthorityRow, isPossible } from './authorities.ts';
import { eachWish, type Part, type PartRow, partsByKey } from './parts.ts';

/** Which part of a list of users or groups is wanted; it is in the order of the ids. */
export interface AuthorityPageArguments {
  /** What a name begins with, in any case; everything when absent. */
  readonly prefix: string | undefined;
  /** The id after which the list begins. */
  readonly after: string | undefined;
  readonly pageSize: number;
  readonly offset: number;
}

type AuthorityPage = Part<AuthorityRow>;

/** What a search looks at, as expressions that have an index. */
const names: Readonly<Record<AuthorityKind, readonly string[]>> = {
  user: ['lower(a.id)', "lower(a.properties ->> 'firstName')", "lower(a.properties ->> 'lastName')"],
  group: ['lower(a.id)', "lower(a.properties ->> 'grouplabel')"],
};

/** All of a kind, or the direct members of each group. */
type Where = 'all' | 'members';

/**
 * The pages of any number of groups in one statement, or one page of all; an empty page is a row without an id. The
 * ids are picked first: what is not on the page is not read. `OFFSET 0` keeps the database from walking all ids in their
 * order until enough of them match, instead of looking up what matches.
 */
function pagesQuery(kind: AuthorityKind, where: Where, isFiltered: boolean): Query {
  const members = `${kind}_membership m`;
  const joined = `${members} JOIN "${kind}" a ON a.id = m.member_id`;
  const table = where === 'all' ? `"${kind}" a` : isFiltered ? joined : members;
  const id = table === members ? 'm.member_id' : 'a.id';
  const begins = names[kind].map((name) => `${name} LIKE lower($5::text)`).join(' OR ');
  const conditions = [
    ...(where === 'members' ? ['m.group_id = p.id'] : []),
    ...(isFiltered ? [`(${begins})`] : []),
  ];
  const found = conditions.length > 0 ? `${table} WHERE ${conditions.join(' AND ')}` : table;
  return {
    name: `${kind}-pages-${where}${isFiltered ? '-filtered' : ''}`,
    text: `
      SELECT p.id AS "of", c.total, r.id, r.properties
      FROM unnest($1::text[]) AS p (id)
      CROSS JOIN LATERAL (SELECT count(*)::int AS total FROM ${found}) c
      LEFT JOIN LATERAL (
        SELECT f.id FROM (SELECT ${id} AS id FROM ${found} ${isFiltered ? 'OFFSET 0' : ''}) f
        WHERE $2::text IS NULL OR f.id > $2 ORDER BY f.id LIMIT $3::int OFFSET $4::int
      ) picked ON true
      LEFT JOIN "${kind}" r ON r.id = picked.id
      ORDER BY p.id, picked.id`,
  };
}

const queriesOf = (kind: AuthorityKind, where: Where) => ({
  every: pagesQuery(kind, where, false),
  filtered: pagesQuery(kind, where, true),
});

const queries = {
  user: { all: queriesOf('user', 'all'), members: queriesOf('user', 'members') },
  group: { all: queriesOf('group', 'all'), members: queriesOf('group', 'members') },
};

/** Stands for the group where all are searched. */
const everywhere = '';

/** Where, and which page. */
interface Wish extends AuthorityPageArguments {
  readonly where: Where;
}

const find =
  ({ db }: Scope, kind: AuthorityKind) =>
  ({ where, prefix, after, pageSize, offset }: Wish): DataLoader<string, AuthorityPage> =>
    partsByKey(async (groups) => {
      if (!isPossible(prefix ?? '') || !isPossible(after ?? '')) return [];
      const query = queries[kind][where][prefix === undefined ? 'every' : 'filtered'];
      const values = [groups, after ?? null, pageSize, offset];
      if (prefix !== undefined) values.push(beginningWith(prefix));
      return db.query<PartRow<AuthorityRow>>(query, values);
    });

/** Pages of all users or groups, or of the direct members of one: one loader for each way of paging that is asked for. */
export function authorityPages(
  scope: Scope,
  kind: AuthorityKind,
): (page: AuthorityPageArguments, group?: string) => Promise<AuthorityPage> {
  const load = eachWish(find(scope, kind));
  return ({ prefix, after, pageSize, offset }, group) =>
    load(group ?? everywhere, {
      ...{ where: group === undefined ? 'all' : 'members', prefix, after, pageSize, offset },
    });
}
