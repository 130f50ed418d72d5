import { toRead } from '../loaders/access.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import { filterOf } from '../pages/log-entries.ts';
import { LogEntry } from '../schema/builder.ts';
import { logFilterArguments } from '../schema/log-entry.ts';
import { call } from '../selection.ts';
import type { Enricher } from './enricher.ts';

/** §4.9: the newest log entries that are wanted, the newest first; none of what the caller may not read. */
export const audit: Enricher<DocumentRow> = {
  name: 'audit',
  field: (t) =>
    t.field({
      type: [LogEntry],
      description: 'The ten newest log entries.',
      args: logFilterArguments,
      resolve: async (row, given, { load }) => {
        const filter = filterOf(given);
        if (!(await load.access.may(row.aclId, toRead(row)))) return [];
        return [...(await load.latestLogEntries(row.id, filter))];
      },
    }),
  select: ({ logEntry, logFilter }) => call(logFilter, logEntry),
};
