import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { send } from './client.ts';
import type { Operation } from './operation.ts';

/** A page of a list, which includes the cursor of the next page. */
interface Page<Entry> {
  readonly resultsCount: number;
  readonly resultsCountEstimate?: number | null;
  readonly nextCursor: string | null;
  readonly entries: readonly Entry[];
}

const firstCursor = '*';

/** A list that is read one page at a time by cursor, as the user scrolls. */
export interface Pages<Entry> {
  readonly entries: readonly Entry[];
  /** The number of entries; -2 if there were too many to count. */
  readonly total: number;
  readonly estimate: number | undefined;
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly isLoadingMore: boolean;
  readonly error: Error | null;
  readonly loadMore: () => void;
}

interface PagesOptions<Variables> {
  /** Whether to load the list. */
  readonly isEnabled?: boolean;
  /**
   * The variables that are different for pages after the first one, for example to omit data that is needed only once.
   */
  readonly later?: Partial<Variables>;
}

/**
 * Reads a list one page at a time.
 * @param pick extracts the page from a response
 * @returns the list; its `first` is the whole response for the first page
 */
export function usePages<Data, Variables extends { cursor: string }, Entry>(
  operation: Operation<Data, Variables>,
  variables: Omit<Variables, 'cursor'>,
  pick: (data: Data) => Page<Entry> | null | undefined,
  { isEnabled = true, later }: PagesOptions<Variables> = {},
): Pages<Entry> & { readonly first: Data | undefined } {
  const answer = useInfiniteQuery({
    queryKey: ['pages', operation.text, variables],
    enabled: isEnabled,
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam: cursor }) => {
      const pageVariables = { ...variables, ...(cursor !== firstCursor && later), cursor };
      return send(operation, pageVariables as unknown as Variables);
    },
    initialPageParam: firstCursor,
    getNextPageParam: (data) => pick(data)?.nextCursor ?? undefined,
  });
  const { data } = answer;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `pick` does the same for the same operation
  const pages = useMemo(() => (data?.pages ?? []).map(pick), [data]);
  const entries = useMemo(() => pages.flatMap((page) => [...(page?.entries ?? [])]), [pages]);
  const last = pages.at(-1);
  return {
    first: data?.pages[0],
    entries,
    total: pages[0]?.resultsCount ?? 0,
    estimate: pages[0]?.resultsCountEstimate ?? undefined,
    hasMore: last?.nextCursor != null && last.entries.length > 0,
    isLoading: answer.isPending,
    isLoadingMore: answer.isFetchingNextPage,
    error: answer.error,
    loadMore: () => {
      if (answer.hasNextPage && !answer.isFetchingNextPage) void answer.fetchNextPage();
    },
  };
}
