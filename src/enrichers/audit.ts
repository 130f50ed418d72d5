import { LogEntry } from '../graphql/builder.ts';
import { logFilterArguments } from '../graphql/log-filter.ts';
import { readPermissionFor } from '../loaders/acls/access.ts';
import { readLogFilter } from '../loaders/audit/log-entry-pages.ts';
import type { DocumentRow } from '../loaders/documents/document-row.ts';
import { call } from '../selection/selection.ts';
import type { Enricher } from './enricher.ts';

export const auditEnricher: Enricher<DocumentRow> = {
  name: 'audit',
  field: (t) =>
    t.field({
      type: [LogEntry],
      description:
        'The latest log entries that match the filter, newest first; empty if the caller does not have permission to read them.',
      args: logFilterArguments,
      resolve: async (row, input, { load }) => {
        const filter = readLogFilter(input);
        if (!(await load.access.may(row, readPermissionFor(row)))) return [];
        return [...(await load.latestLogEntries(row.id, filter))];
      },
    }),
  select: ({ logEntry, logFilter }) => call(logFilter, logEntry),
};
