import type DataLoader from 'dataloader';
import { type Statement, statement } from '../../db/statement.ts';
import { isStorableText } from '../../model/values/storable.ts';
import { prefixPattern } from '../../query/like.ts';
import type { Scope } from '../../scope.ts';
import type { PageArguments } from '../lists/page.ts';
import { readStretch } from '../lists/page-after.ts';
import {
  loaderPerArguments,
  type PageResult,
  type PageResultRow,
  pageLoader,
  pagesByKey,
} from '../lists/page-loader.ts';
import type { AuthorityKind, AuthorityRow } from './authorities.ts';

/** Lists of users and groups are ordered by id. */
interface AuthorityPageArguments extends Pick<PageArguments, 'pageSize' | 'offset' | 'cursor'> {
  /** Case-insensitive prefix of a name, or of a first and a last name in either order; all when absent. */
  readonly prefix: string | undefined;
  readonly after: string | undefined;
}

type AuthorityPage = PageResult<AuthorityRow>;

/** The names that a prefix is compared with, as expressions that have an index. */
const names: Readonly<Record<AuthorityKind, readonly string[]>> = {
  user: ['lower(a.id)', "lower(a.properties ->> 'firstName')", "lower(a.properties ->> 'lastName')"],
  group: ['lower(a.id)', "lower(a.properties ->> 'grouplabel')"],
};

type Where = 'all' | 'members';

const [, firstName, lastName] = names.user;

/** The most places at which a text is taken apart into a first and a last name. */
const maxSplits = 5;

/**
 * The ways to read a text as a first and a last name, or the other way round: `Mary Ann Smith` is `Mary` and `Ann Smith`,
 * or `Mary Ann` and `Smith`.
 */
function splitsOf(text: string): ReadonlyArray<readonly [string, string]> {
  const words = text.trim().split(/\s+/u, maxSplits + 2);
  const shown = words.length > maxSplits + 1 ? [] : words.slice(1);
  return shown.map((_, at) => [words.slice(0, at + 1).join(' '), words.slice(at + 1).join(' ')]);
}

// The pages of any number of groups in one statement, or one page of all; an empty page is a row without an
// id.
//
// Not one of `lists/`: the total counts what is before `after`, too, and the ids of a page are picked from an
// index before any row is read. `OFFSET 0` keeps the planner from walking all ids in order until enough of
// them match, instead of looking up those that match. A pair of names is found in the indexes of both.
function pagesQuery(kind: AuthorityKind, where: Where, splits?: number): Statement {
  const isFiltered = splits !== undefined;
  const members = `${kind}_membership m`;
  const joined = `${members} JOIN "${kind}" a ON a.id = m.member_id`;
  const table = where === 'all' ? `"${kind}" a` : isFiltered ? joined : members;
  const id = table === members ? 'm.member_id' : 'a.id';
  const pairs = Array.from({ length: splits ?? 0 }, (_, at) => [
    `lower($${6 + 2 * at}::text)`,
    `lower($${7 + 2 * at}::text)`,
  ]);
  const begins = [
    ...names[kind].map((name) => `${name} LIKE lower($5::text)`),
    ...pairs.flatMap(([one, other]) => [
      `(${firstName} LIKE ${one} AND ${lastName} LIKE ${other})`,
      `(${lastName} LIKE ${one} AND ${firstName} LIKE ${other})`,
    ]),
  ].join(' OR ');
  const conditions = [
    ...(where === 'members' ? ['m.group_id = p.id'] : []),
    ...(isFiltered ? [`(${begins})`] : []),
  ];
  const found = conditions.length > 0 ? `${table} WHERE ${conditions.join(' AND ')}` : table;
  return statement(`${kind}-pages-${where}${isFiltered ? `-filtered-${splits}` : ''}`)`
    SELECT p.id AS "of", c.total AS "listTotal", r.id, r.properties
    FROM unnest($1::text[]) AS p (id)
    CROSS JOIN LATERAL (SELECT count(*)::int AS total FROM ${found}) c
    LEFT JOIN LATERAL (
      SELECT f.id FROM (SELECT ${id} AS id FROM ${found} ${isFiltered ? 'OFFSET 0' : ''}) f
      WHERE $2::text IS NULL OR f.id > $2 ORDER BY f.id LIMIT $3::int OFFSET $4::int
    ) picked ON true
    LEFT JOIN "${kind}" r ON r.id = picked.id
    ORDER BY p.id, picked.id`;
}

const queriesOf = (kind: AuthorityKind, where: Where) => ({
  every: pagesQuery(kind, where),
  filtered: Array.from({ length: maxSplits + 1 }, (_, splits) => pagesQuery(kind, where, splits)),
});

const queries = {
  user: { all: queriesOf('user', 'all'), members: queriesOf('user', 'members') },
  group: { all: queriesOf('group', 'all'), members: queriesOf('group', 'members') },
};

const everywhere = '';

interface AuthorityRequest extends Pick<AuthorityPageArguments, 'prefix' | 'after' | 'offset'> {
  readonly where: Where;
  readonly limit: number;
}

const find =
  ({ db }: Scope, kind: AuthorityKind) =>
  ({ where, prefix, after, limit, offset }: AuthorityRequest): DataLoader<string, AuthorityPage> =>
    pageLoader(async (groups) => {
      if (!isStorableText(prefix ?? '') || !isStorableText(after ?? '')) return new Map();
      const { every, filtered } = queries[kind][where];
      const splits = kind === 'user' && prefix !== undefined ? splitsOf(prefix) : [];
      const query = (prefix === undefined ? undefined : filtered[splits.length]) ?? every;
      const texts = prefix === undefined ? [] : [prefix, ...splits.flat()];
      const values = [groups, after ?? null, limit, offset, ...texts.map(prefixPattern)];
      return pagesByKey(await db.query<PageResultRow<AuthorityRow>>(query, values));
    });

/**
 * Pages of all users or groups, or of the direct members of a group.
 * @throws Invalid for a cursor of another list
 */
export function authorityPages(
  scope: Scope,
  kind: AuthorityKind,
): (page: AuthorityPageArguments, group?: string) => Promise<AuthorityPage> {
  const load = loaderPerArguments(find(scope, kind));
  return ({ prefix, after, ...page }, group) => {
    const where = group === undefined ? 'all' : 'members';
    return readStretch<AuthorityRow>(
      {
        list: [kind, where, group, prefix],
        order: [{ type: 'text', isNullable: false }],
        positionOf: ({ id }) => [id],
      },
      page,
      ({ after: position, ...bounds }) =>
        load(group ?? everywhere, { where, prefix, after: position?.[0] ?? after, ...bounds }),
    );
  };
}
