import type { Context } from '../context.ts';
import type { AuthorityKind, AuthorityRow } from '../loaders/authorities.ts';
import { type PageShape, readPage } from '../pages/page.ts';
import { builder } from './builder.ts';

/** Arguments of every list of users or groups; they are in the order of their ids. */
export const authorityPageArguments = builder.args((t) => ({
  q: t.string({ description: 'What a name begins with, in any case; * is everything.' }),
  after: t.id({ description: 'The id after which the list begins: faster than an offset in a long list.' }),
  pageSize: t.int({ defaultValue: 50, description: 'At most 1000; 0 asks for as many.' }),
  currentPageIndex: t.int({ defaultValue: 0, description: 'From 0.' }),
  offset: t.int({ description: 'Entries before the first; stands instead of currentPageIndex.' }),
}));

interface GivenPage {
  q?: string | null | undefined;
  after?: string | null | undefined;
  pageSize?: number | null | undefined;
  currentPageIndex?: number | null | undefined;
  offset?: number | null | undefined;
}

/** A page of all users or groups, or of the direct members of one group. An empty search there finds all of them. */
export async function authorityPage(
  { load }: Context,
  kind: AuthorityKind,
  given: GivenPage,
  group?: string,
): Promise<PageShape<AuthorityRow>> {
  const { pageSize, offset } = readPage(given);
  const q = given.q ?? '';
  const prefix = q === '*' || (q === '' && group !== undefined) ? undefined : q;
  const page = { pageSize, offset, entries: [], total: 0, isSortable: false };
  if (prefix === '') return page;
  const find = kind === 'user' ? load.users : load.groups;
  const { rows, total } = await find({ prefix, after: given.after ?? undefined, pageSize, offset }, group);
  return { ...page, entries: rows, total };
}
