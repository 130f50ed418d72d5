import { modelColumns } from '../../db/columns.ts';
import type { BulkCommand } from '../../generated/prisma/client.ts';
import { descending } from '../../query/order-sql.ts';
import { defineList } from '../lists/list-loader.ts';

const columns = {
  id: 'b.id',
  repository: 'b.repository',
  username: 'b.username',
  action: 'b.action',
  parameters: 'b.parameters',
  query: 'b.query',
  state: 'b.state',
  total: 'b.total',
  processed: 'b.processed',
  skipped: 'b.skipped',
  failed: 'b.failed',
  error: 'b.error',
  attempts: 'b.attempts',
  processingMillis: 'b.processing_millis',
  submittedAt: 'b.submitted_at',
  scrollStartedAt: 'b.scroll_started_at',
  collectedTo: 'b.collected_to',
  startedAt: 'b.started_at',
  endedAt: 'b.ended_at',
  workedAt: 'b.worked_at',
} as const satisfies Record<keyof BulkCommand, string>;

/** The types of the columns in `bulkCommandColumns`. */
export const bulkCommandRow = modelColumns(
  'BulkCommand',
  ...(Object.keys(columns) as Array<keyof BulkCommand>),
);

/** The SELECT list for `bulk_command b`, using field names. */
export const bulkCommandColumns = Object.entries(columns)
  .map(([name, column]) => `${column} AS "${name}"`)
  .join(', ');

interface BulkFilter {
  readonly state: readonly string[];
}

/** Reads pages of the bulk commands of all users, newest first. */
export const bulkCommandPages = defineList<BulkFilter, BulkCommand>({
  name: 'bulk-commands',
  columns: bulkCommandColumns,
  row: bulkCommandRow,
  from: 'bulk_command b',
  where: '$1::text IS NOT NULL',
  order: [descending('b.submitted_at', 'timestamptz')],
  tieBreak: descending('b.id', 'uuid'),
  filters: { state: (states) => `b.state = ANY(${states}::text[])` },
});
