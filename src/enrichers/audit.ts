import { toRead } from '../loaders/access.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import { LogEntry } from '../schema/builder.ts';
import type { Enricher } from './enricher.ts';

/** §4.9: the newest log entries, the newest first; none of what the caller may not read. */
export const audit: Enricher<DocumentRow> = {
  name: 'audit',
  field: (t) =>
    t.field({
      type: [LogEntry],
      description: 'The ten newest log entries.',
      resolve: async (row, _, { load }) => {
        if (!(await load.access.may(row.aclId, toRead(row)))) return [];
        return [...(await load.latestLogEntries.load(row.id))];
      },
    }),
  select: ({ logEntry }) => logEntry,
};
