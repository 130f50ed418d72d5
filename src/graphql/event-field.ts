import { entriesPerBatch, type LogSpan } from '../loaders/audit/new-log-entries.ts';

/** The options of every field of Subscription. Each field resolves the spans of the log that `subscribe.ts` emits. */
export const eventField = {
  subscribe: (spans: unknown) => spans as AsyncIterable<LogSpan>,
  complexity: { field: 1, multiplier: entriesPerBatch },
} as const;
