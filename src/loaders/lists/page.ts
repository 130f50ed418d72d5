import { Invalid } from '../../errors.ts';
import { noResultLimit, onePage } from '../../model/search/result-limits.ts';

export const defaultPageSize = 50;

export const maxPageSize = 1000;

/** What a page of documents shows of their properties. */
export interface ShownProperties {
  /**
   * The prefixes of the schemas. The rows of documents with large properties lack all others, so they must not go
   * to anything else. Absent where rows are read whole.
   */
  readonly shownPrefixes?: readonly string[] | undefined;
}

export interface PageArguments extends ShownProperties {
  readonly pageSize: number;
  readonly offset: number;
  /** Entries beyond this are neither counted nor listed. */
  readonly maxResults: number | undefined;
  /** Properties, the most significant first. */
  readonly sortBy: readonly string[];
  /** By position; what is not `asc` is descending. */
  readonly sortOrder: readonly string[];
  /** As the page before named it; it replaces the offset. */
  readonly cursor?: string | undefined;
}

export const unlimited = 2 ** 31 - 1;

/** The total of a search that found more than SEARCH_COUNT_LIMIT. */
export const tooManyToCount = -2;

/** How many entries a full page has; 0 stands for as many as possible. */
export const fullPage = (pageSize: number): number =>
  pageSize === 0 ? maxPageSize : Math.min(pageSize, maxPageSize);

/** @param largest the largest page, where that is not `maxPageSize`. */
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
  /** `tooManyToCount` when there are more than `countLimit`. */
  readonly total: number;
  readonly countLimit?: number;
  readonly maxResults?: number | undefined;
  /** About how many there are that were not counted. */
  readonly estimate?: () => Promise<number>;
  readonly pageSize: number;
  readonly offset: number;
  /** What the next page of a list is asked by, where this one was asked by a cursor and is not the last. */
  readonly nextCursor?: string | undefined;
  /** Whether `sortBy` applies to the list, as it does by default. */
  readonly isSortable?: boolean;
  /** Whether clients of the reference implementation expect another page after a full one: children, page providers. */
  readonly isNavigation?: boolean;
  /** The most entries that a page of it has; 1000 by default. */
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
  if (value < 0) throw new Invalid(`${name}: ${value} is negative`);
  return value;
}

/** 0, which is as many as possible, is -1 to clients of the reference implementation. */
export const sizeOf = (pageSize: number): number => (pageSize === -1 ? 0 : pageSize);

// The database takes long to plan a statement with thousands of sort keys.
const maxSortKeys = 20;

function readMaxResults(given: number | null | undefined, pageSize: number): number | undefined {
  if (typeof given !== 'number' || given === noResultLimit) return undefined;
  if (given === onePage) return fullPage(pageSize);
  return requireNatural('maxResults', given);
}

/** @throws Invalid on negative numbers, and on too many sort keys */
export function readPage(given: PageRequest): PageArguments {
  if ((given.sortBy?.length ?? 0) > maxSortKeys) {
    throw new Invalid(`sortBy: ${given.sortBy?.length} properties, at most ${maxSortKeys}`);
  }
  const pageSize = Math.min(
    requireNatural('pageSize', sizeOf(given.pageSize ?? defaultPageSize)),
    maxPageSize,
  );
  const index = requireNatural('currentPageIndex', given.currentPageIndex ?? 0);
  return {
    pageSize,
    offset: Math.min(requireNatural('offset', given.offset ?? index * fullPage(pageSize)), unlimited),
    maxResults: readMaxResults(given.maxResults, pageSize),
    sortBy: given.sortBy ?? [],
    sortOrder: given.sortOrder ?? [],
    ...(typeof given.cursor === 'string' && { cursor: given.cursor }),
    ...(given.shownPrefixes && { shownPrefixes: given.shownPrefixes }),
  };
}
