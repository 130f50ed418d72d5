import { entriesOfBatch, type LogSpan } from '../loaders/audit/new-log-entries.ts';

/** What the fields of Subscription share: each resolves the spans that come from `subscribe.ts`. */
export const eventField = {
  subscribe: (spans: unknown) => spans as AsyncIterable<LogSpan>,
  complexity: { field: 1, multiplier: entriesOfBatch },
} as const;
