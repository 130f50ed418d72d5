import { NotFound } from '../../errors.ts';
import { builder, Groups, Users } from '../../graphql/builder.ts';
import { pageCost } from '../../graphql/page.ts';
import type { AuthorityKind, AuthorityRow } from '../../loaders/authorities/authorities.ts';
import type { Context } from '../../loaders/context.ts';
import type { PageShape } from '../../loaders/lists/page.ts';
import { type ProvidedRequest, positionalValues } from '../../loaders/search/other-providers.ts';
import type { OtherProvider } from '../../model/search/other-providers.ts';
import { parameterValue, readParameterText } from '../../query/providers/provider-parameters.ts';
import { otherProviderArguments, PageProviderType, resultsOf } from '../search/page-provider.ts';
import { authorityPage } from './authority-pages.ts';

/**
 * Creates a resolver for page providers that return users or groups: all of them, only those whose names have a given
 * prefix, or only the direct members of a group.
 * @throws NotFound if the group does not exist
 */
const provided =
  (kind: AuthorityKind) =>
  async (
    context: Context,
    provider: OtherProvider,
    request: ProvidedRequest,
  ): Promise<PageShape<AuthorityRow>> => {
    const [group] = positionalValues(context, provider, request).group ?? [];
    if (group !== undefined && !(await context.load.groupById.load(group)))
      throw new NotFound(`group does not exist: ${group}`);
    const { queryParams, parameters = {}, ...page } = request;
    const positional = group === undefined ? queryParams?.join(',') : undefined;
    const term = positional ?? parameterValue(parameters, 'searchTerm');
    const q = term === undefined ? '*' : readParameterText('searchTerm', term, {});
    return authorityPage(context, kind, { ...page, q }, group);
  };

const description = (what: string): string =>
  `The ${what} that the page provider returns; null if it returns something else.`;
const shared = { nullable: true, args: otherProviderArguments, complexity: pageCost } as const;

builder.objectFields(PageProviderType, (t) => ({
  users: t.field({
    ...shared,
    type: Users,
    description: description('users'),
    resolve: resultsOf('users', provided('user')),
  }),
  groups: t.field({
    ...shared,
    type: Groups,
    description: description('groups'),
    resolve: resultsOf('groups', provided('group')),
  }),
}));
