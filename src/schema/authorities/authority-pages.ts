import type { InputShapeFromFields } from '@pothos/core';
import { builder } from '../../graphql/builder.ts';
import type { AuthorityKind, AuthorityRow } from '../../loaders/authorities/authorities.ts';
import type { Context } from '../../loaders/context.ts';
import { type PageShape, readPage } from '../../loaders/lists/page.ts';

export const authorityPageArguments = builder.args((t) => ({
  q: t.string({ description: 'Case-insensitive prefix of a name; * matches all.' }),
  after: t.id({ description: 'The id after which the list begins; in a long list faster than an offset.' }),
  pageSize: t.int({ defaultValue: 50, description: 'At most 1000; 0 and -1 mean 1000.' }),
  currentPageIndex: t.int({ defaultValue: 0, description: 'From 0.' }),
  offset: t.int({ description: 'Entries to skip; replaces currentPageIndex.' }),
}));

/** All users or groups, or the direct members of a group, where an empty search finds all. */
export async function authorityPage(
  { load }: Context,
  kind: AuthorityKind,
  given: InputShapeFromFields<typeof authorityPageArguments>,
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
