import { Invalid } from '../../errors.ts';
import { noResultLimit, onePage } from '../../model/search/result-limits.ts';

export const defaultPageSize = 50;

export const maxPageSize = 1000;

/** Selects which properties of its documents a page shows. */
export interface ShownProperties {
  /**
   * The prefixes of the schemas that the response shows. If absent, rows are read as a whole. Otherwise, rows with
   * large properties contain only these schemas, so such rows must not be used for anything else.
   */
  readonly shownPrefixes?: readonly string[] | undefined;
}

export interface PageArguments extends ShownProperties {
  readonly pageSize: number;
  readonly offset: number;
  /** The number of entries after which the list ends, even if there are more. */
  readonly maxResults: number | undefined;
  /** The properties to sort by, most significant first. */
  readonly sortBy: readonly string[];
  /** The direction of each property in `sortBy`: ascending for `asc`, otherwise descending. */
  readonly sortOrder: readonly string[];
  /** The `nextCursor` of the previous page. It replaces the offset. */
  readonly cursor?: string | undefined;
}

/** The largest number that PostgreSQL accepts as a limit or offset of type `int`. */
export const unlimited = 2 ** 31 - 1;

/** The total shown on pages of lists with more than SEARCH_COUNT_LIMIT documents. */
export const tooManyToCount = -2;

/** The number of entries on a full page. A page size of 0 stands for the maximum. */
export const fullPage = (pageSize: number): number =>
  pageSize === 0 ? maxPageSize : Math.min(pageSize, maxPageSize);

/**
 * The maximum number of entries to read for a page.
 * @param largest the maximum page size, if it differs from `maxPageSize`
 */
export function pageLimit({
  pageSize,
  offset,
  maxResults = unlimited,
  largest,
}: Pick<PageArguments, 'pageSize' | 'offset'> &
  Partial<Pick<PageArguments, 'maxResults'>> & { readonly largest?: number | undefined }): number {
  const size = largest === undefined ? fullPage(pageSize) : Math.min(pageSize, largest);
  return Math.max(0, Math.min(size, maxResults - offset));
}

export interface PageShape<Entry = unknown> {
  readonly entries: readonly Entry[];
  /** The number of entries in the whole list; `tooManyToCount` if there are more than `countLimit`. */
  readonly total: number;
  readonly countLimit?: number;
  /**
   * Set if there are too many hits to sort by relevance. Hits with the searched words in their titles then come first.
   */
  readonly isRankedByTitle?: true;
  readonly maxResults?: number | undefined;
  /** Estimates the total if there are too many entries to count. */
  readonly estimate?: () => Promise<number>;
  readonly pageSize: number;
  readonly offset: number;
  /** The cursor of the next page, if this one was read by cursor and is not the last. */
  readonly nextCursor?: string | undefined;
  /** Whether clients can choose the order with `sortBy`; true by default. */
  readonly isSortable?: boolean;
  /**
   * Whether clients of the reference implementation expect another page after each full page, as they do for children
   * and page providers.
   */
  readonly isNavigation?: boolean;
  /** The maximum page size of the list; 1000 by default. */
  readonly maxPageSize?: number;
}

export interface PageRequest extends ShownProperties {
  pageSize?: number | null | undefined;
  currentPageIndex?: number | null | undefined;
  offset?: number | null | undefined;
  maxResults?: number | null | undefined;
  sortBy?: readonly string[] | null | undefined;
  sortOrder?: readonly string[] | null | undefined;
  cursor?: string | null | undefined;
}

function requireNatural(name: string, value: number): number {
  if (value < 0) throw new Invalid(`${name} must not be negative; got ${value}.`);
  return value;
}

/**
 * The page size that a client requests. Clients of the reference implementation send -1 for the maximum, which is 0
 * here.
 */
export const sizeOf = (pageSize: number): number => (pageSize === -1 ? 0 : pageSize);

/**
 * The maximum number of sort keys. It is limited because PostgreSQL takes a long time to plan a statement with
 * thousands of sort keys.
 */
const maxSortKeys = 20;

function readMaxResults(maxResults: number | null | undefined, pageSize: number): number | undefined {
  if (typeof maxResults !== 'number' || maxResults === noResultLimit) return undefined;
  if (maxResults === onePage) return fullPage(pageSize);
  return requireNatural('maxResults', maxResults);
}

/**
 * Checks a request for a page and applies the defaults.
 * @throws Invalid for negative numbers or too many sort keys
 */
export function readPage(request: PageRequest): PageArguments {
  if ((request.sortBy?.length ?? 0) > maxSortKeys) {
    throw new Invalid(`sortBy: can name at most ${maxSortKeys} properties; got ${request.sortBy?.length}.`);
  }
  const pageSize = Math.min(
    requireNatural('pageSize', sizeOf(request.pageSize ?? defaultPageSize)),
    maxPageSize,
  );
  const index = requireNatural('currentPageIndex', request.currentPageIndex ?? 0);
  return {
    pageSize,
    offset: Math.min(requireNatural('offset', request.offset ?? index * fullPage(pageSize)), unlimited),
    maxResults: readMaxResults(request.maxResults, pageSize),
    sortBy: request.sortBy ?? [],
    sortOrder: request.sortOrder ?? [],
    ...(typeof request.cursor === 'string' && { cursor: request.cursor }),
    ...(request.shownPrefixes && { shownPrefixes: request.shownPrefixes }),
  };
}
