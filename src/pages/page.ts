import { Invalid } from '../errors.ts';
import { maxPageSize, type PageArguments } from '../loaders/children.ts';

/** One page of a longer list. */
export interface PageShape<Entry = unknown> {
  readonly entries: readonly Entry[];
  /** How many entries all pages have together. */
  readonly total: number;
  /** Entries per page; 0 when everything is on one. */
  readonly pageSize: number;
  /** Entries before the first of this page. */
  readonly offset: number;
  /** Whether `sortBy` applies to the list; it does where it is not said. */
  readonly isSortable?: boolean;
  /** The most entries that a page of it has: 1000 where it is not said. */
  readonly maxPageSize?: number;
}

/** What is asked for a page of a list. */
export interface GivenPage {
  pageSize?: number | null | undefined;
  currentPageIndex?: number | null | undefined;
  offset?: number | null | undefined;
  maxResults?: number | null | undefined;
  sortBy?: readonly string[] | null | undefined;
  sortOrder?: readonly string[] | null | undefined;
}

function natural(name: string, value: number): number {
  if (value < 0) throw new Invalid(`${name}: ${value} is negative`);
  return value;
}

/** More keys than this order nothing any more, and the database plans long over thousands. */
const mostSortKeys = 20;

/** Reads what is asked. @throws Invalid on negative numbers, and on too many keys to sort by. */
export function readPage(given: GivenPage): PageArguments {
  if ((given.sortBy?.length ?? 0) > mostSortKeys) {
    throw new Invalid(`sortBy: ${given.sortBy?.length} properties, at most ${mostSortKeys}`);
  }
  const pageSize = Math.min(natural('pageSize', given.pageSize ?? 50), maxPageSize);
  const index = natural('currentPageIndex', given.currentPageIndex ?? 0);
  return {
    pageSize,
    offset: Math.min(natural('offset', given.offset ?? index * pageSize), 2 ** 31 - 1),
    maxResults: typeof given.maxResults === 'number' ? natural('maxResults', given.maxResults) : undefined,
    sortBy: given.sortBy ?? [],
    sortOrder: given.sortOrder ?? [],
  };
}
