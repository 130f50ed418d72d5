import { QueryClient } from '@tanstack/react-query';

/** The responses that the page has cached. */
export const queries = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: 10_000, refetchOnWindowFocus: false } },
});
