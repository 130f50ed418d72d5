import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { send } from './client.ts';
import type { Operation } from './operation.ts';

/** A page that a cursor leads on from. */
interface Page<Entry> {
  readonly resultsCount: number;
  readonly resultsCountEstimate?: number | null;
  readonly nextCursor: string | null;
  readonly entries: readonly Entry[];
}

const firstCursor = '*';

/** A list that is read page by page, by cursors, as far as it is scrolled. */
export interface Pages<Entry> {
  readonly entries: readonly Entry[];
  /** -2 when they were too many to count. */
  readonly total: number;
  readonly estimate: number | undefined;
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly isLoadingMore: boolean;
  readonly error: Error | null;
  readonly loadMore: () => void;
}

interface PagesOptions<Variables> {
  /** Whether the list is shown at all. */
  readonly isAsked?: boolean;
  /** Variables of the pages after the first one, such as for what only that one needs. */
  readonly later?: Partial<Variables>;
}

/** @param pick the page in the answer; the whole first answer is `first`. */
export function usePages<Data, Variables extends { cursor: string }, Entry>(
  operation: Operation<Data, Variables>,
  variables: Omit<Variables, 'cursor'>,
  pick: (data: Data) => Page<Entry> | null | undefined,
  { isAsked = true, later }: PagesOptions<Variables> = {},
): Pages<Entry> & { readonly first: Data | undefined } {
  const answer = useInfiniteQuery({
    queryKey: ['pages', operation.text, variables],
    enabled: isAsked,
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam: cursor }) => {
      const asked = { ...variables, ...(cursor !== firstCursor && later), cursor };
      return send(operation, asked as unknown as Variables);
    },
    initialPageParam: firstCursor,
    getNextPageParam: (data) => pick(data)?.nextCursor ?? undefined,
  });
  const { data } = answer;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what picks the page is the same for the same operation
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
