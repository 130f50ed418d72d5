import { entityType, Field, omitIfNull, type Selection } from '../../selection/selection.ts';

/** The fields of a paged list, in the order of the reference implementation. */
export const pageSelection: Selection = {
  'entity-type': entityType,
  isPaginable: true,
  resultsCount: true,
  pageSize: true,
  maxPageSize: true,
  resultsCountLimit: true,
  currentPageSize: true,
  currentPageIndex: true,
  currentPageOffset: true,
  numberOfPages: true,
  isPreviousPageAvailable: true,
  isNextPageAvailable: true,
  isLastPageAvailable: true,
  nextCursor: new Field({
    assign: (shown, cursor) => {
      if (cursor !== null) shown.nextCursor = cursor;
    },
  }),
  isSortable: true,
  hasError: true,
  errorMessage: true,
};

/** The fields of a page of search results. The total number can be unknown, because counting stops at a limit. */
export const pageOfFoundSelection: Selection = {
  ...pageSelection,
  resultsCountEstimate: new Field({
    assign: (shown, estimate) => {
      if (estimate !== null) shown.resultsCountEstimate = estimate;
    },
  }),
  isRankedByTitle: omitIfNull,
};
