import { Invalid } from '../../errors.ts';
import type { PageProvider } from '../../model/model.ts';
import { requireDocuments, variablesOf } from '../../query/read-query.ts';
import type { Scope } from '../../scope.ts';
import type { Access } from '../acls/access.ts';
import { membersOf } from '../collections/collections.ts';
import type { DocumentRow } from '../documents/document-row.ts';
import { documentById, loadReadable } from '../documents/documents.ts';
import type { PageResult } from '../lists/page-loader.ts';
import { type AggregateResult, computeAggregates } from './aggregates.ts';
import { composedProvider } from './contributed-providers.ts';
import { highlighting } from './highlights.ts';
import { type FoundPage, type SearchPageArguments, searchDocuments } from './search.ts';

/** The parameters with which a request calls a page provider. */
export interface ProviderParameters {
  readonly named: Readonly<Record<string, unknown>>;
  readonly positional: readonly string[];
  /** The id of the document in the URL, which becomes the first positional parameter. */
  readonly document?: string;
  readonly quickFilters: readonly string[];
  readonly highlight: readonly string[];
}

interface ProviderPage extends FoundPage {
  readonly aggregates: () => Promise<readonly AggregateResult[]>;
}

/**
 * Reads pages of page providers. The modules of the query language are imported at the first call, so that a process
 * that never searches does not load them.
 */
export function providerPages(
  scope: Scope,
  access: Access,
): (
  provider: PageProvider,
  parameters: ProviderParameters,
  page: SearchPageArguments,
) => Promise<ProviderPage> {
  const find = searchDocuments(scope, access);
  const count = computeAggregates(scope, access);
  const documents = documentById(scope, access);
  const members = membersOf(scope, access);
  const membersIn = async (
    name: string,
    [id]: readonly string[],
    page: SearchPageArguments,
  ): Promise<PageResult<DocumentRow>> => {
    if (id === undefined)
      throw new Invalid(`queryParams: ${name} requires the id of a collection; got no value.`);
    const [collection] = await loadReadable(documents, [id]);
    return collection ? members(collection.id, page) : { rows: [], total: 0 };
  };
  return async (called, { document: ofUrl, positional: given, named, ...others }, page) => {
    const { membersMarker, positionalParameters, buildProviderQuery, withSelectedBuckets } = await import(
      '../../query/providers/provider.ts'
    );
    const { provider, parameters } = await composedProvider(scope, called, {
      named,
      positional: given,
      ...(ofUrl !== undefined && { document: ofUrl }),
    });
    const options = { ...others, named: parameters.named };
    const values = positionalParameters(provider, parameters.positional, parameters.document);
    if (provider.query === membersMarker) {
      return { ...(await membersIn(provider.name, values, page)), aggregates: async () => [] };
    }
    const bound = { ...options, variables: variablesOf(scope), positional: values };
    const built = buildProviderQuery(provider, bound, scope.services.model);
    const query = requireDocuments(withSelectedBuckets(built));
    const highlighted = highlighting(
      query,
      options.highlight,
      provider.highlight,
      scope.services.wordAnalysis,
    );
    const { rows, ...counted } = await find(query, page);
    // Selected buckets restrict the hits, but not the documents that are counted by the aggregate to which they belong.
    const isWhole = page.maxResults === undefined && built.aggregates.every(({ condition }) => !condition);
    const unlessMany = isWhole ? 'few' : 'unknown';
    const hits = counted.countLimit === undefined ? unlessMany : 'many';
    return {
      rows: highlighted(rows),
      ...counted,
      aggregates: () => count({ ...built, hits }),
    };
  };
}
