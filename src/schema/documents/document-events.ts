import { builder, Document, LogEntry } from '../../graphql/builder.ts';
import { eventField } from '../../graphql/event-field.ts';
import { readPermissionFor } from '../../loaders/acls/access.ts';
import type { LogEntryRow } from '../../loaders/audit/log-entries.ts';
import { newLogEntries } from '../../loaders/audit/new-log-entries.ts';
import type { Context } from '../../loaders/context.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';

interface DocumentEventShape {
  readonly entry: LogEntryRow;
  readonly document: DocumentRow | null;
}

const DocumentEvent = builder.objectRef<DocumentEventShape>('DocumentEvent');
DocumentEvent.implement({
  description: 'An event that concerns a document.',
  fields: (t) => ({
    entry: t.expose('entry', {
      type: LogEntry,
      description: 'The log entry, with the document at the time of the event.',
    }),
    document: t.expose('document', {
      type: Document,
      nullable: true,
      description: 'The current document; null if it was deleted.',
    }),
  }),
});

async function readableDocument({ load }: Context, id: string): Promise<DocumentRow | null> {
  const row = await load.documentById.load(id).catch(() => null); // the caller may not read the document
  return row && (await load.access.may(row, readPermissionFor(row))) ? row : null;
}

/** Only administrators are notified of deleted documents, because the ACLs are deleted too. */
async function visibleEvents(
  context: Context,
  entries: readonly LogEntryRow[],
): Promise<DocumentEventShape[]> {
  const events = await Promise.all(
    entries.map(async (entry) => ({
      entry,
      document: entry.docUUID === null ? null : await readableDocument(context, entry.docUUID),
    })),
  );
  return events.filter(
    ({ entry, document }) => document || (context.user.isAdministrator && entry.docUUID !== null),
  );
}

builder.subscriptionField('documentEvents', (t) =>
  t.field({
    type: [DocumentEvent],
    description:
      'Events from now on that concern documents the caller may read. Each answer contains at most 100 events committed since the last one. The first answer can contain events committed just before.',
    args: {
      path: t.arg.string({
        description:
          'Restricts the events to the document with this path and its descendants, at the time of the event.',
      }),
      events: t.arg.stringList({ description: 'The names of events, as in the log; all events if absent.' }),
      types: t.arg.stringList({ description: 'The document types; all types if absent.' }),
    },
    ...eventField,
    resolve: async (span, filter, context) =>
      visibleEvents(context, await newLogEntries(context, span, filter)),
  }),
);
