import { builder, Document, LogEntries, LogEntry } from '../../graphql/builder.ts';
import { logFilterArguments } from '../../graphql/log-filter.ts';
import { fixedOrderPageArguments, implementPage, pageArguments, pageCost } from '../../graphql/page.ts';
import { allLogEntries, documentLogEntryPage } from '../../loaders/audit/log-entry-pages.ts';
import { findProvidedLogEntries } from '../../loaders/audit/provided-log-entries.ts';
import { otherProviderArguments, PageProviderType, resultsOf } from '../search/page-provider.ts';

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

const { sortOrder } = pageArguments;

const logArguments = {
  ...fixedOrderPageArguments,
  sortOrder,
  ...logFilterArguments,
  ...builder.args((t) => ({
    sortBy: t.stringList({ description: 'Fields of an entry; eventDate when absent.' }),
  })),
};

builder.objectField(Document, 'audit', (t) =>
  t.field({
    type: LogEntries,
    description: 'Events of the document, the newest first.',
    args: logArguments,
    complexity: pageCost,
    resolve: documentLogEntryPage,
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

builder.objectField(PageProviderType, 'logEntries', (t) =>
  t.field({
    type: LogEntries,
    nullable: true,
    description: 'The log entries that it finds; null when it finds others.',
    args: otherProviderArguments,
    complexity: pageCost,
    resolve: resultsOf('logEntries', findProvidedLogEntries),
  }),
);
