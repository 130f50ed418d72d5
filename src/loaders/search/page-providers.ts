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

/** All page providers, those that find no documents included, sorted by name. */
export const pageProvidersOf = ({ pageProviders }: Pick<Model, 'pageProviders'>): PageProvider[] =>
  [...new Map<string, PageProvider>([...otherProviders, ...pageProviders]).values()].sort((one, other) =>
    one.name < other.name ? -1 : 1,
  );

/** Of documents or of others. @throws NotFound */
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

/** @throws NotFound; Invalid when it finds no documents. */
export function pageProviderByName(context: Using<'model'>, name: string): PageProvider {
  const provider = anyPageProvider(context, name);
  if (isOtherProvider(provider)) throw new Invalid(`${name} finds ${provider.finds}, no documents`);
  return provider;
}

function readProviderPage(provider: PageProvider, given: PageRequest) {
  const { isSortable = true, maxPageSize: most = maxPageSize } = provider;
  const wanted = sizeOf(given.pageSize ?? provider.pageSize ?? defaultPageSize);
  const isTooLarge = wanted > most || (wanted === 0 && most < maxPageSize);
  const page = readPage({ ...given, pageSize: isTooLarge ? most : wanted });
  return { ...page, isSortable, maxPageSize: most, ...(!isSortable && { sortBy: [], sortOrder: [] }) };
}

/**
 * §4.7
 * @param document the id of the addressed document, which is the first positional parameter.
 * @throws Invalid naming the missing or malformed parameter.
 */
export async function findProviderPage(
  context: Context,
  provider: PageProvider,
  given: ProviderPageRequest,
  document?: string,
): Promise<DocumentsPage> {
  const page = readProviderPage(provider, given);
  const switchedOn = given.quickFilters ?? [];
  const wish = {
    named: given.parameters ?? {},
    positional: given.queryParams ?? [],
    quickFilters: switchedOn,
    highlight: given.highlight ?? [],
    ...(document !== undefined && { document }),
  };
  const { rows, aggregates, ...counted } = await context.load.providerPages(provider, wish, page);
  const { quickFilters } = provider;
  return {
    ...page,
    ...counted,
    entries: rows,
    isNavigation: true,
    pageAt: (offset) =>
      findProviderPage(context, provider, { ...given, offset, cursor: undefined }, document),
    ...(quickFilters && {
      quickFilters: quickFilters.map(({ name }) => ({ name, isActive: switchedOn.includes(name) })),
    }),
    ...(provider.aggregates?.length && { aggregates }),
  };
}
