import {
  defaultPageSize,
  fullPage,
  maxPageSize,
  type PageArguments,
  type PageRequest,
  type PageShape,
  readPage,
  unlimited,
} from '../loaders/lists/page.ts';
import { type PageResult, shownPage } from '../loaders/lists/page-loader.ts';
import { builder } from './builder.ts';

export const pageArguments = builder.args((t) => ({
  pageSize: t.int({ defaultValue: defaultPageSize, description: 'At most 1000; 0 and -1 mean 1000.' }),
  currentPageIndex: t.int({ defaultValue: 0, description: 'From 0.' }),
  offset: t.int({ description: 'The number of entries to skip; overrides currentPageIndex.' }),
  maxResults: t.int({
    description: 'The maximum number of entries on all pages; -1 means no maximum, -2 the page size.',
  }),
  sortBy: t.stringList({ description: 'Property xpaths.' }),
  sortOrder: t.stringList({ description: 'asc or desc for each property in sortBy; defaults to desc.' }),
  cursor: t.string({
    description:
      'The nextCursor of the previous page, or * for the first page; overrides currentPageIndex and offset.',
  }),
}));

const { pageSize, currentPageIndex, offset, cursor } = pageArguments;
export const fixedOrderPageArguments = { pageSize, currentPageIndex, offset, cursor };

/**
 * Finds a page of a list that clients cannot sort.
 * @throws Invalid
 */
export async function fixedOrderPage<Row>(
  request: PageRequest,
  find: (page: Pick<PageArguments, 'pageSize' | 'offset' | 'cursor'>) => Promise<PageResult<Row>>,
): Promise<PageShape<Row>> {
  const { pageSize: size, offset: skipped, cursor: from } = readPage(request);
  const page = { pageSize: size, offset: skipped, cursor: from };
  return { isSortable: false, ...shownPage(page, await find(page)) };
}

export const pageCost = ({ pageSize }: PageRequest) => ({
  field: 1,
  multiplier: pageSize && pageSize > 0 ? Math.min(pageSize, maxPageSize) : maxPageSize,
});

const pageIndex = ({ pageSize, offset }: PageShape): number => Math.floor(offset / fullPage(pageSize));
const isUncounted = ({ total }: PageShape): boolean => total < 0;
const pageCount = ({ pageSize, total }: PageShape): number =>
  total < 0 ? 0 : Math.max(pageSize === 0 ? 1 : 0, Math.ceil(total / fullPage(pageSize)));
const hasNext = ({ pageSize, offset, total }: PageShape): boolean => total > offset + fullPage(pageSize);

const isAtEnd = ({ offset, entries, maxResults = unlimited }: PageShape): boolean =>
  offset + entries.length >= maxResults;
const hasFullPage = ({ pageSize, entries }: PageShape): boolean => entries.length === fullPage(pageSize);
const mayHaveNext = (page: PageShape): boolean =>
  hasNext(page) || (isUncounted(page) && hasFullPage(page) && !isAtEnd(page));

/** The fields that the pages of all lists have in common. */
export const Page = builder.interfaceRef<PageShape>('Page').implement({
  fields: (t) => ({
    isPaginable: t.boolean({ resolve: () => true }),
    resultsCount: t.exposeInt('total'),
    pageSize: t.exposeInt('pageSize'),
    maxPageSize: t.int({ resolve: ({ maxPageSize: most = maxPageSize }) => most }),
    resultsCountLimit: t.int({ resolve: ({ total, countLimit = total }) => countLimit }),
    resultsCountEstimate: t.int({
      nullable: true,
      description: 'The estimated number of results when `resultsCount` is -2.',
      resolve: (page) => (isUncounted(page) ? (page.estimate?.() ?? null) : null),
    }),
    isRankedByTitle: t.boolean({
      nullable: true,
      description:
        'True if there are too many results to sort them by relevance. Results with the words in their title then come first; within both groups, the most recently changed come first.',
      resolve: ({ isRankedByTitle }) => isRankedByTitle ?? null,
    }),
    currentPageSize: t.int({ resolve: ({ entries }) => entries.length }),
    currentPageIndex: t.int({ resolve: pageIndex }),
    currentPageOffset: t.exposeInt('offset'),
    numberOfPages: t.int({ resolve: pageCount }),
    isPreviousPageAvailable: t.boolean({ resolve: (page) => pageIndex(page) > 0 }),
    isNextPageAvailable: t.boolean({
      args: {
        afterFullPage: t.arg.boolean({
          defaultValue: false,
          description: 'Whether to assume a next page after every full page of children.',
        }),
      },
      resolve: (page, { afterFullPage }) =>
        mayHaveNext(page) || (afterFullPage === true && page.isNavigation === true && hasFullPage(page)),
    }),
    isLastPageAvailable: t.boolean({ resolve: hasNext }),
    nextCursor: t.string({
      nullable: true,
      description: 'The cursor of the next page; null unless this page was requested with a cursor.',
      resolve: ({ nextCursor }) => nextCursor,
    }),
    isSortable: t.boolean({ resolve: ({ isSortable = true }) => isSortable }),
    hasError: t.boolean({ resolve: () => false }),
    errorMessage: t.string({ nullable: true, resolve: () => null }),
    totalSize: t.exposeInt('total'),
    pageIndex: t.int({ resolve: pageIndex }),
    pageCount: t.int({ resolve: pageCount }),
  }),
});

type PageRef<Row> = ReturnType<typeof builder.objectRef<PageShape<Row>>>;
type EntryRef<Row> = ReturnType<typeof builder.objectRef<Row>>;

/** Implements the GraphQL type of a page. The cost of the entries is declared on the field that returns the page. */
export const implementPage = <Row>(page: PageRef<Row>, entry: EntryRef<Row>, description: string) =>
  page.implement({
    description,
    interfaces: [Page],
    fields: (t) => ({
      entries: t.expose('entries', { type: [entry], complexity: { multiplier: 1 } }),
    }),
  });
