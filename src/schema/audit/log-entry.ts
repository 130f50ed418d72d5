import { builder, Document, LogEntries, LogEntry } from '../../graphql/builder.ts';
import { logFilterArguments } from '../../graphql/log-filter.ts';
import { implementPage, pageArguments, pageCost } from '../../graphql/page.ts';
import { notGranted, readPermissionFor } from '../../loaders/acls/access.ts';
import type { LogEntryRow } from '../../loaders/audit/log-entries.ts';
import { allLogEntries, type LogPageRequest, logPage } from '../../loaders/audit/log-entry-pages.ts';
import type { Context } from '../../loaders/context.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import type { PageShape } from '../../loaders/lists/page.ts';

LogEntry.implement({
  description: 'An entry of the audit (§2.6).',
  fields: (t) => ({
    id: t.exposeFloat('id', { description: 'A whole number; later entries have higher ones.' }),
    category: t.exposeString('category'),
    principalName: t.exposeString('principalName', {
      description: 'The user who caused the event; of a failed log-in, the given user name.',
    }),
    comment: t.exposeString('comment', { nullable: true }),
    docLifeCycle: t.exposeString('docLifeCycle', { nullable: true }),
    docPath: t.exposeString('docPath', {
      nullable: true,
      description: 'At the time of the event, like the other fields of the document.',
    }),
    docType: t.exposeString('docType', { nullable: true }),
    docUUID: t.exposeString('docUUID', { nullable: true }),
    eventId: t.exposeString('eventId', { description: 'For example documentModified.' }),
    repositoryId: t.exposeString('repositoryId', {
      nullable: true,
      description: 'Null for events without a repository.',
    }),
    eventDate: t.string({ resolve: ({ eventDate }) => eventDate.toISOString() }),
    logDate: t.string({
      description: 'When the entry was written.',
      resolve: ({ logDate }) => logDate.toISOString(),
    }),
    extended: t.expose('extended', { type: 'JSON' }),
  }),
});

implementPage(LogEntries, LogEntry, 'A page of log entries.');

const { pageSize, currentPageIndex, offset, sortOrder } = pageArguments;

const logArguments = {
  pageSize,
  currentPageIndex,
  offset,
  sortOrder,
  ...logFilterArguments,
  ...builder.args((t) => ({
    sortBy: t.stringList({ description: 'Fields of an entry; eventDate when absent.' }),
  })),
};

/** @throws Forbidden without Read, which a caller who may write can lack. */
async function auditOf(
  row: DocumentRow,
  given: LogPageRequest,
  context: Context,
): Promise<PageShape<LogEntryRow>> {
  const { load } = context;
  if (!(await load.access.may(row.aclId, readPermissionFor(row))))
    throw notGranted(context, readPermissionFor(row));
  return logPage(given, (filter, page) => load.documentLogEntries(filter, page, row.id));
}

builder.objectField(Document, 'audit', (t) =>
  t.field({
    type: LogEntries,
    description: 'Events of the document, the newest first.',
    args: logArguments,
    complexity: pageCost,
    resolve: (row, given, context) => auditOf(row, given, context),
  }),
);

builder.queryField('logEntries', (t) =>
  t.field({
    type: LogEntries,
    description: 'All events, the newest first; for administrators.',
    args: {
      ...logArguments,
      docUUID: t.arg.idList({ description: 'Ids of documents, deleted ones included.' }),
    },
    complexity: pageCost,
    resolve: (_, given, context) => allLogEntries(given, context),
  }),
);
