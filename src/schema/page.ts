import { Invalid } from '../errors.ts';
import { maxPageSize, type PageArguments } from '../loaders/children.ts';
import { builder } from './builder.ts';

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
}

/** Arguments of every paged field. */
export const pageArguments = builder.args((t) => ({
  pageSize: t.int({ defaultValue: 50, description: 'At most 1000; 0 asks for as many.' }),
  currentPageIndex: t.int({ defaultValue: 0, description: 'From 0.' }),
  offset: t.int({ description: 'Entries before the first; stands instead of currentPageIndex.' }),
  maxResults: t.int({ description: 'Entries beyond this are not there.' }),
  sortBy: t.stringList({ description: 'Property xpaths.' }),
  sortOrder: t.stringList({ description: 'asc or desc, by position; desc when missing.' }),
}));

/** What those arguments are. */
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

/** Reads the arguments of a paged field. @throws Invalid on negative numbers, and on too many keys to sort by. */
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

/** A page costs as much as the entries that it may have. */
export const pageCost = ({ pageSize }: GivenPage) => ({
  field: 1,
  multiplier: pageSize ? Math.max(1, Math.min(pageSize, maxPageSize)) : maxPageSize,
});

const pageIndex = ({ pageSize, offset }: PageShape): number =>
  pageSize === 0 ? 0 : Math.floor(offset / pageSize);
const pageCount = ({ pageSize, total }: PageShape): number =>
  pageSize === 0 ? 1 : Math.ceil(total / pageSize);
const hasNext = ({ pageSize, offset, total }: PageShape): boolean =>
  pageSize > 0 && total > offset + pageSize;

/** What every page tells of itself and of the list it is from. */
export const Page = builder.interfaceRef<PageShape>('Page').implement({
  fields: (t) => ({
    isPaginable: t.boolean({ resolve: () => true }),
    resultsCount: t.exposeInt('total'),
    pageSize: t.exposeInt('pageSize'),
    maxPageSize: t.int({ resolve: () => maxPageSize }),
    resultsCountLimit: t.exposeInt('total'),
    currentPageSize: t.int({ resolve: ({ entries }) => entries.length }),
    currentPageIndex: t.int({ resolve: pageIndex }),
    currentPageOffset: t.exposeInt('offset'),
    numberOfPages: t.int({ resolve: pageCount }),
    isPreviousPageAvailable: t.boolean({ resolve: (page) => pageIndex(page) > 0 }),
    isNextPageAvailable: t.boolean({ resolve: hasNext }),
    isLastPageAvailable: t.boolean({ resolve: hasNext }),
    isSortable: t.boolean({ resolve: ({ isSortable = true }) => isSortable }),
    hasError: t.boolean({ resolve: () => false }),
    errorMessage: t.string({ nullable: true, resolve: () => null }),
    totalSize: t.exposeInt('total'),
    pageIndex: t.int({ resolve: pageIndex }),
    pageCount: t.int({ resolve: pageCount }),
  }),
});
