import { Invalid, NotFound } from '../../errors.ts';
import type { Model, PageProvider } from '../../model/model.ts';
import { otherProviders } from '../../model/search/other-providers.ts';
import { unknownName } from '../../near-names.ts';
import type { Using } from '../../scope.ts';
import type { Context } from '../context.ts';
import { defaultPageSize, maxPageSize, type PageRequest, readPage, sizeOf } from '../lists/page.ts';
import type { DocumentsPage } from './documents-page.ts';
import { isOtherProvider } from './other-providers.ts';

type Names = readonly string[] | null | undefined;

export interface ProviderPageRequest extends PageRequest {
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly queryParams?: Names;
  readonly quickFilters?: Names;
  readonly highlight?: Names;
}

/** All page providers, ordered by name, including those that find entities other than documents. */
export const pageProvidersOf = ({ pageProviders }: Pick<Model, 'pageProviders'>): PageProvider[] =>
  [...new Map<string, PageProvider>([...otherProviders, ...pageProviders]).values()].sort((one, other) =>
    one.name < other.name ? -1 : 1,
  );

/**
 * Returns the page provider with the given name, whether it finds documents or other entities.
 * @throws NotFound
 */
export function anyPageProvider({ services: { model } }: Using<'model'>, name: string): PageProvider {
  const provider = model.pageProviders.get(name) ?? otherProviders.get(name);
  if (!provider)
    throw new NotFound(
      unknownName(
        'page provider',
        name,
        pageProvidersOf(model).map((each) => each.name),
      ),
    );
  return provider;
}

/**
 * Returns the document page provider with the given name.
 * @throws NotFound; Invalid if the provider returns entities other than documents
 */
export function pageProviderByName(context: Using<'model'>, name: string): PageProvider {
  const provider = anyPageProvider(context, name);
  if (isOtherProvider(provider))
    throw new Invalid(`The page provider ${name} returns ${provider.finds} rather than documents.`);
  return provider;
}

function readProviderPage(provider: PageProvider, request: PageRequest) {
  const { isSortable = true, maxPageSize: largest = maxPageSize } = provider;
  const pageSize = sizeOf(request.pageSize ?? provider.pageSize ?? defaultPageSize);
  const isTooLarge = pageSize > largest || (pageSize === 0 && largest < maxPageSize);
  const page = readPage({ ...request, pageSize: isTooLarge ? largest : pageSize });
  return { ...page, isSortable, maxPageSize: largest, ...(!isSortable && { sortBy: [], sortOrder: [] }) };
}

/**
 * Reads a page of a page provider (§4.7).
 * @param document the id of the document in the URL, which becomes the first positional parameter
 * @throws Invalid, with the name of the missing or malformed parameter
 */
export async function findProviderPage(
  context: Context,
  provider: PageProvider,
  request: ProviderPageRequest,
  document?: string,
): Promise<DocumentsPage> {
  const page = readProviderPage(provider, request);
  const activeFilters = request.quickFilters ?? [];
  const parameters = {
    named: request.parameters ?? {},
    positional: request.queryParams ?? [],
    quickFilters: activeFilters,
    highlight: request.highlight ?? [],
    ...(document !== undefined && { document }),
  };
  const { rows, aggregates, ...counted } = await context.load.providerPages(provider, parameters, page);
  const { quickFilters } = provider;
  return {
    ...page,
    ...counted,
    entries: rows,
    isNavigation: true,
    pageAt: (offset) =>
      findProviderPage(context, provider, { ...request, offset, cursor: undefined }, document),
    ...(quickFilters && {
      quickFilters: quickFilters.map(({ name }) => ({ name, isActive: activeFilters.includes(name) })),
    }),
    ...(provider.aggregates?.length && { aggregates }),
  };
}
