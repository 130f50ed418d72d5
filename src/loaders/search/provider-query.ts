import { Invalid } from '../../errors.ts';
import type { Query } from '../../query/ast.ts';
import { variablesOf } from '../../query/read-query.ts';
import type { Context } from '../context.ts';
import { composedProvider } from './contributed-providers.ts';
import { pageProviderByName } from './page-providers.ts';
import type { ProviderParameters } from './provider-loader.ts';

/** Builds the query of a page provider with the given parameters. @throws NotFound, Invalid */
export async function queryOfProvider(
  context: Context,
  name: string,
  { quickFilters, ...called }: Pick<ProviderParameters, 'named' | 'positional' | 'quickFilters'>,
): Promise<Query> {
  const { provider, parameters } = await composedProvider(context, pageProviderByName(context, name), called);
  const { membersMarker, positionalParameters, buildProviderQuery, withSelectedBuckets } = await import(
    '../../query/providers/provider.ts'
  );
  if (provider.query === membersMarker)
    throw new Invalid(`The page provider ${name} lists a collection and has no query.`);
  const positional = positionalParameters(provider, parameters.positional);
  const bound = { named: parameters.named, quickFilters, variables: variablesOf(context), positional };
  return withSelectedBuckets(buildProviderQuery(provider, bound, context.services.model));
}
