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
import { highlighting } from './highlights.ts';
import { type FoundPage, type SearchPageArguments, searchDocuments } from './search.ts';

export interface ProviderParameters {
  readonly named: Readonly<Record<string, unknown>>;
  readonly positional: readonly string[];
  /** The addressed document; it is the first positional parameter. */
  readonly document?: string;
  readonly quickFilters: readonly string[];
  readonly highlight: readonly string[];
}

interface ProviderPage extends FoundPage {
  readonly aggregates: () => Promise<readonly AggregateResult[]>;
}

/** The first search of a process loads the NXQL compiler, which most servers need only then. */
export function providerPages(
  scope: Scope,
  access: Access,
): (provider: PageProvider, wish: ProviderParameters, page: SearchPageArguments) => Promise<ProviderPage> {
  const find = searchDocuments(scope, access);
  const count = computeAggregates(scope, access);
  const documents = documentById(scope, access);
  const members = membersOf(scope, access);
  const membersIn = async (
    name: string,
    [id]: readonly string[],
    page: SearchPageArguments,
  ): Promise<PageResult<DocumentRow>> => {
    if (id === undefined) throw new Invalid(`queryParams: ${name} takes 1, got 0`);
    const [collection] = await loadReadable(documents, [id]);
    return collection ? members(collection.id, page) : { rows: [], total: 0 };
  };
  return async (provider, { document, positional, ...wish }, page) => {
    const { membersMarker, positionalParameters, buildProviderQuery, withSelectedBuckets } = await import(
      '../../query/providers/provider.ts'
    );
    const given = positionalParameters(provider, positional, document);
    if (provider.query === membersMarker) {
      return { ...(await membersIn(provider.name, given, page)), aggregates: async () => [] };
    }
    const bound = { ...wish, variables: variablesOf(scope), positional: given };
    const asked = buildProviderQuery(provider, bound, scope.services.model);
    const query = requireDocuments(withSelectedBuckets(asked));
    const highlighted = highlighting(query, wish.highlight, provider.highlight);
    const { rows, ...counted } = await find(query, page);
    // Selected buckets leave fewer hits than aggregates count.
    const isWhole = page.maxResults === undefined && asked.aggregates.every(({ condition }) => !condition);
    const unlessMany = isWhole ? 'few' : 'unknown';
    const hits = counted.countLimit === undefined ? unlessMany : 'many';
    return {
      rows: highlighted(rows),
      ...counted,
      aggregates: () => count({ ...asked, hits }),
    };
  };
}
