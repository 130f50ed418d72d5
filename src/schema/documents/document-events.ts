import { builder, Document, LogEntry } from '../../graphql/builder.ts';
import { eventField } from '../../graphql/event-field.ts';
import { readPermissionFor } from '../../loaders/acls/access.ts';
import { followedEntries, maxFollowedEntries } from '../../loaders/audit/followed-entries.ts';
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
      description: 'The document in its current state; null if it has been deleted.',
    }),
  }),
});

async function readableDocument({ load }: Context, id: string): Promise<DocumentRow | null> {
  const row = await load.documentById.load(id).catch(() => null); // The caller may not have the permission to read the document.
  return row && (await load.access.may(row, readPermissionFor(row))) ? row : null;
}

/**
 * Events about deleted documents are visible only to administrators, because the documents' ACLs have been deleted
 * as well.
 */
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
      'Future events that concern documents the caller can read. Each message contains at most 100 events, committed since the previous message. The first message can also contain events committed shortly before.',
    args: {
      path: t.arg.string({
        description:
          'Restricts the events to documents that were at or below this path at the time of the event.',
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

builder.queryField('followedEvents', (t) =>
  t.field({
    type: [DocumentEvent],
    description: `The latest events, at most ${maxFollowedEntries}, that other users have caused on documents that the caller has subscribed to, and on documents below them, newest first. Below a folder, only the latest events of the server are searched.`,
    complexity: { field: 1, multiplier: maxFollowedEntries },
    resolve: async (_, __, context) => visibleEvents(context, await followedEntries(context)),
  }),
);
