import { Invalid } from '../../errors.ts';
import type { Query } from '../../query/ast.ts';
import { variablesOf } from '../../query/read-query.ts';
import type { Context } from '../context.ts';
import { pageProviderByName } from './page-providers.ts';
import type { ProviderParameters } from './provider-loader.ts';

/** The query that a page provider asks. @throws NotFound, Invalid */
export async function queryOfProvider(
  context: Context,
  name: string,
  { positional, ...wish }: Pick<ProviderParameters, 'named' | 'positional' | 'quickFilters'>,
): Promise<Query> {
  const provider = pageProviderByName(context, name);
  const { membersMarker, positionalParameters, buildProviderQuery, withSelectedBuckets } = await import(
    '../../query/providers/provider.ts'
  );
  if (provider.query === membersMarker) throw new Invalid(`${name} lists a collection: it has no query`);
  const given = positionalParameters(provider, positional);
  const bound = { ...wish, variables: variablesOf(context), positional: given };
  return withSelectedBuckets(buildProviderQuery(provider, bound, context.services.model));
}
