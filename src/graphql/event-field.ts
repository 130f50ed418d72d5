import { entriesPerBatch, type LogSpan } from '../loaders/audit/new-log-entries.ts';

/**
 * The options that all fields of `Subscription` share. Each field resolves the parts of the audit log that
 * `subscribe.ts` emits.
 */
export const eventField = {
  subscribe: (spans: unknown) => spans as AsyncIterable<LogSpan>,
  complexity: { field: 1, multiplier: entriesPerBatch },
} as const;
