import type DataLoader from 'dataloader';
import { nullableColumns, type RowWith } from '../../db/columns.ts';
import { type Statement, statement } from '../../db/statement.ts';
import { isStorableText } from '../../model/values/storable.ts';
import { beginsIgnoringCase } from '../../query/like.ts';
import type { Scope } from '../../scope.ts';
import type { PageArguments } from '../lists/page.ts';
import { loaderPerArguments, type PageResult, pageLoader, pagesByKey } from '../lists/page-loader.ts';
import { readPageRange } from '../lists/page-range.ts';
import { type AuthorityKind, type AuthorityRow, authorityRow } from './authorities.ts';

/** Selects the page of users or groups to read. The lists are ordered by id. */
interface AuthorityPageArguments extends Pick<PageArguments, 'pageSize' | 'offset' | 'cursor'> {
  /**
   * The beginning of a name, or of a first and a last name in either order, ignoring case. Absent if the list is not
   * filtered.
   */
  readonly prefix: string | undefined;
  /** The id after which the page starts. */
  readonly after: string | undefined;
}

type AuthorityPage = PageResult<AuthorityRow>;

/** The SQL expressions with which a prefix is compared. There is an index on the lowercase form of each. */
const names: Readonly<Record<AuthorityKind, readonly string[]>> = {
  user: ['a.id', "a.properties ->> 'firstName'", "a.properties ->> 'lastName'"],
  group: ['a.id', "a.properties ->> 'grouplabel'"],
};

const pageRow = { of: 'text', listTotal: 'int4', ...nullableColumns(authorityRow) } as const;
type PageRow = RowWith<typeof pageRow>;

type Where = 'all' | 'members';

/** The maximum number of positions at which a string is split into a first and a last name. */
const maxSplits = 5;

/**
 * The possible ways to split a string into a first and a last name, or the other way round: `Mary Ann Smith` is `Mary`
 * and `Ann Smith`, or `Mary Ann` and `Smith`.
 */
function splitsOf(text: string): ReadonlyArray<readonly [string, string]> {
  const words = text.trim().split(/\s+/u, maxSplits + 2);
  const shown = words.length > maxSplits + 1 ? [] : words.slice(1);
  return shown.map((_, at) => [words.slice(0, at + 1).join(' '), words.slice(at + 1).join(' ')]);
}

/** The maximum size of a group whose members are all read and compared with a prefix. */
const fewMembers = 1_000;

/**
 * SQL condition that is true if a name of `a` begins with the prefix in `$5`, or if the first and the last name begin
 * with the two parts of one of its splits, which are passed from `$6` on. Each comparison can use an index.
 */
function beginsSql(kind: AuthorityKind, splits: number): string {
  const [first = '', last = ''] = names.user.slice(1);
  const both = (one: number, other: number): string =>
    `(${beginsIgnoringCase(first, `$${one}`)} AND ${beginsIgnoringCase(last, `$${other}`)})`;
  const pairs = Array.from({ length: splits }, (_, at) => [6 + 2 * at, 7 + 2 * at] as const);
  return [
    ...names[kind].map((name) => `(${beginsIgnoringCase(name, '$5')})`),
    ...pairs.flatMap(([one, other]) => [both(one, other), both(other, one)]),
  ].join(' OR ');
}

// Selects the ids that match the prefix. Among all users, the indexes on names find them: `OFFSET 0` keeps the planner
// from walking through all ids in order until enough of them match. For a small group, all members are read and
// compared, because very many users outside the group may match. For a large group, the matching users are looked up
// first and then checked for membership; `LIMIT 1` keeps the planner from reading all members instead. The query
// contains both branches, and `size.is_large` turns one of them off.
const foundSql = (kind: AuthorityKind, where: Where, begins: string): string =>
  where === 'all'
    ? `SELECT a.id FROM "${kind}" a WHERE ${begins} OFFSET 0`
    : `SELECT a.id
      FROM (SELECT m.member_id FROM ${kind}_membership m WHERE NOT size.is_large AND m.group_id = p.id OFFSET 0) m
        JOIN "${kind}" a ON a.id = m.member_id
      WHERE ${begins}
      UNION ALL
      SELECT a.id
      FROM (SELECT a.id FROM "${kind}" a WHERE size.is_large AND (${begins}) OFFSET 0) a
        CROSS JOIN LATERAL (
          SELECT FROM ${kind}_membership m WHERE m.member_id = a.id AND m.group_id = p.id LIMIT 1
        ) m`;

// Reads pages of the matching members of any number of groups, or a page of all users or groups, with one statement. An
// empty page is returned as a row without an id.
//
// For each group `p`, `size` determines whether it is large, and `found` collects the matching ids once, both for the
// total and for the page. Only then are the rows of the page read, by id. The list does not use `defineList`, because
// the total also counts the entries before `after`, and because the ids of a page are selected before any row is read.
function filteredPagesQuery(kind: AuthorityKind, where: Where, splits: number): Statement<PageRow> {
  return statement(`${kind}-pages-${where}-filtered-${splits}`, pageRow)`
    SELECT p.id AS "of", c.total AS "listTotal", r.id, r.properties
    FROM unnest($1::text[]) AS p (id)
    CROSS JOIN LATERAL (
      SELECT count(*) > ${fewMembers} AS is_large
      FROM (SELECT FROM ${kind}_membership m WHERE m.group_id = p.id LIMIT ${fewMembers + 1}) m
    ) size
    CROSS JOIN LATERAL (
      WITH found AS MATERIALIZED (${foundSql(kind, where, beginsSql(kind, splits))})
      SELECT (SELECT count(*)::int FROM found) AS total, ARRAY(
        SELECT f.id FROM found f WHERE $2::text IS NULL OR f.id > $2 ORDER BY f.id LIMIT $3::int OFFSET $4::int
      ) AS ids
    ) c
    LEFT JOIN LATERAL unnest(c.ids) AS picked (id) ON true
    LEFT JOIN "${kind}" r ON r.id = picked.id
    ORDER BY p.id, picked.id`;
}

// Reads the same pages without a prefix. `picked` selects the ids of a page from an index alone, so that an offset
// skips index entries rather than rows; the rows of the page are then read by id.
function pagesQuery(kind: AuthorityKind, where: Where): Statement<PageRow> {
  const id = where === 'all' ? 'a.id' : 'm.member_id';
  const found = where === 'all' ? `"${kind}" a` : `${kind}_membership m WHERE m.group_id = p.id`;
  return statement(`${kind}-pages-${where}`, pageRow)`
    SELECT p.id AS "of", c.total AS "listTotal", r.id, r.properties
    FROM unnest($1::text[]) AS p (id)
    CROSS JOIN LATERAL (SELECT count(*)::int AS total FROM ${found}) c
    LEFT JOIN LATERAL (
      SELECT f.id FROM (SELECT ${id} AS id FROM ${found}) f
      WHERE $2::text IS NULL OR f.id > $2 ORDER BY f.id LIMIT $3::int OFFSET $4::int
    ) picked ON true
    LEFT JOIN "${kind}" r ON r.id = picked.id
    ORDER BY p.id, picked.id`;
}

const queriesOf = (kind: AuthorityKind, where: Where) => ({
  every: pagesQuery(kind, where),
  filtered: Array.from({ length: maxSplits + 1 }, (_, splits) => filteredPagesQuery(kind, where, splits)),
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
      const values = [groups, after ?? null, limit, offset, ...texts];
      return pagesByKey<AuthorityRow>(await db.query(query, values));
    });

/**
 * Reads pages of all users or groups, or of the direct members of a group.
 * @throws Invalid for a cursor that belongs to another list
 */
export function authorityPages(
  scope: Scope,
  kind: AuthorityKind,
): (page: AuthorityPageArguments, group?: string) => Promise<AuthorityPage> {
  const load = loaderPerArguments(find(scope, kind));
  return ({ prefix, after, ...page }, group) => {
    const where = group === undefined ? 'all' : 'members';
    return readPageRange<AuthorityRow>(
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
