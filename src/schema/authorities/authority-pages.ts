import type { InputShapeFromFields } from '@pothos/core';
import { Invalid } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import { fixedOrderPage, fixedOrderPageArguments } from '../../graphql/page.ts';
import type { AuthorityKind, AuthorityRow } from '../../loaders/authorities/authorities.ts';
import type { Context } from '../../loaders/context.ts';
import type { PageShape } from '../../loaders/lists/page.ts';

const which = builder.args((t) => ({
  q: t.string({
    description:
      'Case-insensitive prefix of a name; * matches all. Without it a list of members has all, another one none.',
  }),
  after: t.id({ description: 'The id after which the list begins; in a long list faster than an offset.' }),
}));

export const authorityPageArguments = { ...which, ...fixedOrderPageArguments };

/** All users or groups, or the direct members of a group, where an empty search finds all. @throws Invalid */
export async function authorityPage(
  { load }: Context,
  kind: AuthorityKind,
  given: InputShapeFromFields<typeof authorityPageArguments>,
  group?: string,
): Promise<PageShape<AuthorityRow>> {
  const { q, after, ...page } = given;
  if (typeof after === 'string' && typeof page.cursor === 'string')
    throw new Invalid('after: the cursor says where the page begins');
  const prefix = q === '*' || (!q && group !== undefined) ? undefined : (q ?? '');
  const find = kind === 'user' ? load.users : load.groups;
  return fixedOrderPage(page, async (part) =>
    prefix === ''
      ? { rows: [], total: 0 }
      : find({ prefix, after: typeof after === 'string' ? after : undefined, ...part }, group),
  );
}
