import { entriesOfBatch, type Turn } from '../loaders/audit/new-log-entries.ts';

/** What the fields of Subscription share: each resolves the turns that come from `subscribe.ts`. */
export const eventField = {
  subscribe: (turns: unknown) => turns as AsyncIterable<Turn>,
  complexity: { field: 1, multiplier: entriesOfBatch },
} as const;
