import type { BulkCommandRow } from './commands.ts';

const time = (date: Date | null): string | null => date?.toISOString() ?? null;

/** The status of a command, in the form that clients see. */
export const bulkStatus = (row: BulkCommandRow) => ({
  commandId: row.id,
  state: row.state,
  processed: row.processed,
  skipCount: row.skipped,
  error: row.failed > 0 || row.error !== null,
  errorCount: row.failed,
  errorMessage: row.error,
  total: row.total,
  action: row.action,
  username: row.username,
  submitted: row.submittedAt.toISOString(),
  scrollStart: time(row.scrollStartedAt),
  scrollEnd: time(row.startedAt),
  processingStart: time(row.startedAt),
  processingEnd: time(row.endedAt),
  completed: time(row.endedAt),
  processingMillis: row.processingMillis,
});
