import type { Context } from '../context.ts';
import { NotFound } from '../errors.ts';
import type { FoundAggregate } from '../loaders/aggregates.ts';
import { maxPageSize } from '../loaders/children.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import type { PageProvider } from '../model/model.ts';
import { type GivenPage, type PageShape, readPage } from './page.ts';

/** A page of documents. */
export interface DocumentsPage extends PageShape<DocumentRow> {
  /** Of what a page provider lists: its quick filters, and whether the request switched them on. */
  readonly quickFilters?: ReadonlyArray<{ readonly name: string; readonly isActive: boolean }>;
  /** And its aggregates, computed when they are asked for. */
  readonly aggregates?: () => Promise<readonly FoundAggregate[]>;
}

type Names = readonly string[] | null | undefined;

/** What a request gives a page provider. */
export interface GivenToProvider extends GivenPage {
  /** The named parameters. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** The positional ones. */
  readonly queryParams?: Names;
  readonly quickFilters?: Names;
  readonly highlight?: Names;
}

/** @throws NotFound */
export function providerOf({ model }: Pick<Context, 'model'>, name: string): PageProvider {
  const provider = model.pageProviders.get(name);
  if (!provider) throw new NotFound(`there is no page provider ${name}`);
  return provider;
}

/** Entries of a page, where neither the request nor the page provider says. */
export const usualPageSize = 50;

/** Which page of what a page provider lists is wanted, and in which order. @throws Invalid on negative numbers. */
function readProviderPage(provider: PageProvider, given: GivenPage) {
  const { isSortable = true, maxPageSize: most = maxPageSize } = provider;
  const wanted = given.pageSize ?? provider.pageSize ?? usualPageSize;
  const isTooLarge = wanted > most || (wanted === 0 && most < maxPageSize);
  const page = readPage({ ...given, pageSize: isTooLarge ? most : wanted });
  return { ...page, isSortable, maxPageSize: most, ...(!isSortable && { sortBy: [], sortOrder: [] }) };
}

/**
 * A page of what a page provider lists (§4.7).
 * @param document the id of the document that is addressed, which is the first positional parameter.
 * @throws Invalid naming the parameter that is missing or not understood.
 */
export async function provide(
  { load }: Context,
  provider: PageProvider,
  given: GivenToProvider,
  document?: string,
): Promise<DocumentsPage> {
  const page = readProviderPage(provider, given);
  const switchedOn = given.quickFilters ?? [];
  const wish = {
    ...{ named: given.parameters ?? {}, positional: given.queryParams ?? [], quickFilters: switchedOn },
    ...{ highlight: given.highlight ?? [], ...(document !== undefined && { document }) },
  };
  const { rows, total, aggregates } = await load.provided(provider, wish, page);
  const { quickFilters } = provider;
  return {
    ...{ ...page, total, entries: rows },
    ...(quickFilters && {
      quickFilters: quickFilters.map(({ name }) => ({ name, isActive: switchedOn.includes(name) })),
    }),
    ...(provider.aggregates && { aggregates }),
  };
}
