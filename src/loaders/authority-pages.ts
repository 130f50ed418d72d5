import DataLoader from 'dataloader';
import type { Query } from '../db/database.ts';
import type { Scope } from '../scope.ts';
import { type AuthorityKind, type AuthorityRow, isPossible } from './authorities.ts';

/** Which part of a list of users or groups is wanted; it is in the order of the ids. */
export interface AuthorityPageArguments {
  /** What a name begins with, in any case; everything when absent. */
  readonly prefix: string | undefined;
  /** The id after which the list begins. */
  readonly after: string | undefined;
  readonly pageSize: number;
  readonly offset: number;
}

export interface AuthorityPage {
  /** How many match, whatever page. */
  readonly total: number;
  readonly rows: readonly AuthorityRow[];
}

/** What a search looks at. */
const names: Readonly<Record<AuthorityKind, readonly string[]>> = {
  user: ['a.id', "a.properties ->> 'firstName'", "a.properties ->> 'lastName'"],
  group: ['a.id', "a.properties ->> 'grouplabel'"],
};

/** The pages of any number of groups in one statement, or one page of all; an empty page is a row without an id. */
function pagesQuery(kind: AuthorityKind, where: 'all' | 'members'): Query {
  const begins = names[kind].map((name) => `starts_with(lower(${name}), lower($2::text))`).join(' OR ');
  const table =
    where === 'all'
      ? `"${kind}" a WHERE`
      : `${kind}_membership m JOIN "${kind}" a ON a.id = m.member_id WHERE m.group_id = p.id AND`;
  const found = `${table} ($2::text IS NULL OR ${begins})`;
  return {
    name: `${kind}-pages-${where}`,
    text: `
      SELECT p.id AS "of", c.total, a.*
      FROM unnest($1::text[]) AS p (id)
      CROSS JOIN LATERAL (SELECT count(*)::int AS total FROM ${found}) c
      LEFT JOIN LATERAL (
        SELECT a.id, a.properties FROM ${found} AND ($3::text IS NULL OR a.id > $3)
        ORDER BY a.id LIMIT $4::int OFFSET $5::int
      ) a ON true
      ORDER BY p.id, a.id`,
  };
}

const queries = {
  user: { all: pagesQuery('user', 'all'), members: pagesQuery('user', 'members') },
  group: { all: pagesQuery('group', 'all'), members: pagesQuery('group', 'members') },
};

type PageRow = { of: string; total: number } & (AuthorityRow | { id: null });

/** Stands for the group where all are searched. */
const everywhere = '';

function find({ db }: Scope, kind: AuthorityKind, page: AuthorityPageArguments) {
  const { prefix, after, pageSize, offset } = page;
  return (where: 'all' | 'members') =>
    new DataLoader<string, AuthorityPage>(async (groups) => {
      const pages = new Map(groups.map((id) => [id, { total: 0, rows: [] as AuthorityRow[] }]));
      if (isPossible(prefix ?? '') && isPossible(after ?? '')) {
        const values = [groups, prefix ?? null, after ?? null, pageSize, offset];
        for (const row of await db.query<PageRow>(queries[kind][where], values)) {
          const answer = pages.get(row.of);
          if (!answer) continue;
          answer.total = row.total;
          if (row.id !== null) answer.rows.push(row);
        }
      }
      return groups.map((id) => pages.get(id) ?? { total: 0, rows: [] });
    });
}

/** Pages of all users or groups, or of the direct members of one: one loader for each way of paging that is asked for. */
export function authorityPages(
  scope: Scope,
  kind: AuthorityKind,
): (page: AuthorityPageArguments, group?: string) => Promise<AuthorityPage> {
  const loaders = new Map<string, DataLoader<string, AuthorityPage>>();
  return (page, group) => {
    const where = group === undefined ? 'all' : 'members';
    const key = JSON.stringify([where, page.prefix, page.after, page.pageSize, page.offset]);
    const loader = loaders.get(key) ?? find(scope, kind, page)(where);
    loaders.set(key, loader);
    return loader.load(group ?? everywhere);
  };
}
