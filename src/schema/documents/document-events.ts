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
  description: 'What has happened to a document, or by it.',
  fields: (t) => ({
    entry: t.expose('entry', { type: LogEntry, description: 'The event, with the document as it was then.' }),
    document: t.expose('document', {
      type: Document,
      nullable: true,
      description: 'The document as it is now; null when it is deleted.',
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
      'What happens from now on to documents that the caller may read: all that was committed since the last answer, at most 100 at once. What was committed just before may come first.',
    args: {
      path: t.arg.string({ description: 'Of documents at this path and below, at the time of the event.' }),
      events: t.arg.stringList({ description: 'Event names, as in the log; any when absent.' }),
      types: t.arg.stringList({ description: 'Types of documents; any when absent.' }),
    },
    ...eventField,
    resolve: async (span, filter, context) =>
      visibleEvents(context, await newLogEntries(context, span, filter)),
  }),
);
