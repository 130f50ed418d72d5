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
      'The prefix of a name, case-insensitive; * matches all names. If absent, a list of members contains all members, and any other list is empty.',
  }),
  after: t.id({ description: 'The id after which the page begins; faster than an offset in long lists.' }),
}));

export const authorityPageArguments = { ...which, ...fixedOrderPageArguments };

/** The arguments of lists of all users or all groups. */
export const allAuthoritiesArguments = {
  ...authorityPageArguments,
  ...builder.args((t) => ({
    isWhole: t.boolean({ description: 'Whether the list is complete rather than empty if q is absent.' }),
  })),
};

/**
 * Returns a page of all users or groups, or of the direct members of a group. Without a search term, the page of a
 * group's members contains all members, whereas a page of all users or groups is empty.
 * @throws Invalid
 */
export async function authorityPage(
  { load }: Context,
  kind: AuthorityKind,
  given: InputShapeFromFields<typeof authorityPageArguments> & {
    readonly isWhole?: boolean | null | undefined;
  },
  group?: string,
): Promise<PageShape<AuthorityRow>> {
  const { q, after, isWhole = group !== undefined, ...page } = given;
  if (typeof after === 'string' && typeof page.cursor === 'string')
    throw new Invalid('after cannot be combined with a cursor, which also determines where the page begins');
  const prefix = q === '*' || (!q && isWhole) ? undefined : (q ?? '');
  const find = kind === 'user' ? load.users : load.groups;
  return fixedOrderPage(page, async (part) =>
    prefix === ''
      ? { rows: [], total: 0 }
      : find({ prefix, after: typeof after === 'string' ? after : undefined, ...part }, group),
  );
}
