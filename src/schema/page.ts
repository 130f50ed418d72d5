import { maxPageSize } from '../loaders/children.ts';
import type { GivenPage, PageShape } from '../pages/page.ts';
import { builder } from './builder.ts';

/** Arguments of every paged field. */
export const pageArguments = builder.args((t) => ({
  pageSize: t.int({ defaultValue: 50, description: 'At most 1000; 0 asks for as many.' }),
  currentPageIndex: t.int({ defaultValue: 0, description: 'From 0.' }),
  offset: t.int({ description: 'Entries before the first; stands instead of currentPageIndex.' }),
  maxResults: t.int({ description: 'Entries beyond this are not there.' }),
  sortBy: t.stringList({ description: 'Property xpaths.' }),
  sortOrder: t.stringList({ description: 'asc or desc, by position; desc when missing.' }),
}));

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
    maxPageSize: t.int({ resolve: ({ maxPageSize: most = maxPageSize }) => most }),
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
