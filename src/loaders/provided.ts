import { Invalid } from '../errors.ts';
import type { PageProvider } from '../model/model.ts';
import type { Scope } from '../scope.ts';
import type { Access } from './access.ts';
import { aggregate, type FoundAggregate } from './aggregates.ts';
import type { ChildrenPage } from './children.ts';
import { membersOf } from './collections.ts';
import { documentById, readableOf } from './documents.ts';
import { noteSought } from './highlights.ts';
import { type SearchPage, search } from './search.ts';

/** What a request asks of a page provider. */
export interface ProviderWish {
  readonly named: Readonly<Record<string, unknown>>;
  readonly positional: readonly string[];
  /** The document that is addressed: it is the first positional parameter. */
  readonly document?: string;
  readonly quickFilters: readonly string[];
  /** Fields that the enricher `highlight` shows; those of the page provider when there are none. */
  readonly highlight: readonly string[];
}

/** A page of what a page provider lists. */
export interface ProvidedPage extends ChildrenPage {
  readonly aggregates: () => Promise<readonly FoundAggregate[]>;
}

/** Pages of what page providers list; the language of queries is loaded by the first of the process. */
export function provided(
  scope: Scope,
  access: Access,
): (provider: PageProvider, wish: ProviderWish, page: SearchPage) => Promise<ProvidedPage> {
  const find = search(scope, access);
  const count = aggregate(scope, access);
  const membersIn = async (
    name: string,
    [id]: readonly string[],
    page: SearchPage,
  ): Promise<ChildrenPage> => {
    if (id === undefined) throw new Invalid(`queryParams: ${name} takes 1, got 0`);
    const [collection] = await readableOf(documentById(scope, access), [id]);
    return collection ? membersOf(scope, access)(collection.id, page) : { rows: [], total: 0 };
  };
  return async (provider, { document, positional, ...wish }, page) => {
    const { members, positionalOf, provide, withSelections } = await import('../query/provider.ts');
    const given = positionalOf(provider, positional, document);
    if (provider.query === members) {
      return { ...(await membersIn(provider.name, given, page)), aggregates: async () => [] };
    }
    const variables = { currentUser: scope.user.id, currentRepository: scope.options.repository };
    const bound = { ...wish, variables, positional: given, now: access.now };
    const asked = provide(provider, bound, scope.model);
    const query = withSelections(asked);
    const found = await find(query, page);
    noteSought(found.rows, query, wish.highlight.length > 0 ? wish.highlight : (provider.highlight ?? []));
    return { ...found, aggregates: () => count(asked.query, asked.aggregates) };
  };
}
