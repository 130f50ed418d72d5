import { builder, Document, LogEntry } from '../../graphql/builder.ts';
import { eventField } from '../../graphql/event-field.ts';
import { type NewLogEntryRow, newLogEntries } from '../../loaders/audit/new-log-entries.ts';
import type { Context } from '../../loaders/context.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { readableDocument } from '../../loaders/documents/readable-document.ts';

interface DocumentEventShape {
  readonly entry: NewLogEntryRow;
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
      description: 'The document in its current state; null if it has been deleted.',
    }),
    isInInbox: t.boolean({
      description: "Whether the event is in the caller's inbox; always false without the argument `inbox`.",
      resolve: ({ entry }) => entry.isInInbox,
    }),
  }),
});

/**
 * Events about deleted documents are visible only to administrators, because the documents' ACLs have been deleted
 * as well. Events without a document are visible only in an inbox, which contains those about the caller's tasks.
 */
async function visibleEvents(
  context: Context,
  entries: readonly NewLogEntryRow[],
): Promise<DocumentEventShape[]> {
  const events = await Promise.all(
    entries.map(async (entry) => ({
      entry,
      document: entry.docUUID === null ? null : await readableDocument(context, entry.docUUID),
    })),
  );
  return events.filter(
    ({ entry, document }) =>
      document || (entry.docUUID === null ? entry.isInInbox : context.user.isAdministrator),
  );
}

builder.subscriptionField('documentEvents', (t) =>
  t.field({
    type: [DocumentEvent],
    description:
      'Future events that concern documents the caller can read. Each message contains at most 100 events, committed since the previous message. The first message can also contain events committed shortly before.',
    args: {
      path: t.arg.string({
        description:
          'Restricts the events to documents that were at or below this path at the time of the event.',
      }),
      inbox: t.arg.boolean({
        description:
          "Whether to add the events in the caller's inbox to those at or below `path`; without a path, only these are sent.",
      }),
      events: t.arg.stringList({
        description: 'The names of events, as in the log; defaults to all events.',
      }),
      types: t.arg.stringList({ description: 'The document types; defaults to all types.' }),
    },
    ...eventField,
    resolve: async (span, filter, context) =>
      visibleEvents(context, await newLogEntries(context, span, filter)),
  }),
);
