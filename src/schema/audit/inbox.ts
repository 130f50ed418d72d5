import { builder, Document, LogEntry } from '../../graphql/builder.ts';
import type { InboxEntryRow } from '../../loaders/audit/inbox-entries.ts';
import { inboxDays, inboxEntries, maxInboxEntries } from '../../loaders/audit/inbox-entries.ts';
import type { Context } from '../../loaders/context.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { readableDocument } from '../../loaders/documents/readable-document.ts';
import { inboxReasons } from '../../model/inbox.ts';
import { markInboxRead } from '../../store/notifications/read-marks.ts';
import { Comment } from '../comments/comment.ts';

interface InboxEntryShape {
  readonly entry: InboxEntryRow;
  readonly document: DocumentRow | null;
}

/** Returns the comment that an event is about, if it still exists and the caller can read it. */
async function commentOf({ extended }: InboxEntryRow, context: Context): Promise<DocumentRow | null> {
  const { commentId } = (extended ?? {}) as { readonly commentId?: unknown };
  if (typeof commentId !== 'string') return null;
  return readableDocument(context, commentId);
}

const InboxEntry = builder.objectRef<InboxEntryShape>('InboxEntry').implement({
  description: 'An event that another user has caused and that concerns the caller.',
  fields: (t) => ({
    entry: t.expose('entry', { type: LogEntry, description: 'The log entry about the event.' }),
    document: t.expose('document', {
      type: Document,
      nullable: true,
      description: 'The document; null for a task without a document.',
    }),
    reason: t.string({
      description: `Why the event is in the inbox: ${inboxReasons.join(', ')}.`,
      resolve: ({ entry }) => entry.reason,
    }),
    isUnread: t.boolean({
      description: 'Whether the caller has not marked the entry as read.',
      resolve: ({ entry }) => entry.isUnread,
    }),
    comment: t.field({
      type: Comment,
      nullable: true,
      description: 'The comment or annotation that the event is about; null for other events.',
      resolve: ({ entry }, _, context) => commentOf(entry, context),
    }),
  }),
});

const Inbox = builder.objectRef<readonly InboxEntryShape[]>('Inbox').implement({
  description: "The caller's inbox.",
  fields: (t) => ({
    entries: t.field({
      type: [InboxEntry],
      description: `The entries, newest first: at most ${maxInboxEntries} of the last ${inboxDays} days, on documents that the caller can read. Below followed folders, only the latest events of the server are searched.`,
      complexity: { field: 1, multiplier: maxInboxEntries },
      resolve: (entries) => [...entries],
    }),
    unread: t.int({
      description: 'The number of unread entries.',
      resolve: (entries) => entries.filter(({ entry }) => entry.isUnread).length,
    }),
  }),
});

async function inboxOf(context: Context): Promise<InboxEntryShape[]> {
  const entries = await inboxEntries(context);
  const found = await Promise.all(
    entries.map(async (entry) => ({
      entry,
      document: entry.docUUID === null ? null : await readableDocument(context, entry.docUUID),
    })),
  );
  return found.filter(
    ({ entry, document }) => document || (entry.docUUID === null && entry.reason === 'task'),
  );
}

builder.queryField('inbox', (t) =>
  t.field({
    type: Inbox,
    description:
      'The events that concern the caller: mentions in comments, replies to comments of the caller, documents shared with the caller or a group, tasks, and changes at or below the documents that the caller follows.',
    resolve: (_, __, context) => inboxOf(context),
  }),
);

builder.mutationField('markInboxRead', (t) =>
  t.field({
    type: Inbox,
    description: "Marks entries of the caller's inbox as read, and returns the inbox.",
    args: {
      entries: t.arg.floatList({ required: true, description: 'The ids of the log entries, at most 1000.' }),
    },
    resolve: async (_, { entries }, context) => {
      await markInboxRead(context, entries);
      return inboxOf(context);
    },
  }),
);
