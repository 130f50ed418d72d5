import { builder, Document, LogEntries, LogEntry } from '../../graphql/builder.ts';
import { logFilterArguments } from '../../graphql/log-filter.ts';
import { fixedOrderPageArguments, implementPage, pageArguments, pageCost } from '../../graphql/page.ts';
import { allLogEntries, documentLogEntryPage } from '../../loaders/audit/log-entry-pages.ts';
import { findProvidedLogEntries } from '../../loaders/audit/provided-log-entries.ts';
import { otherProviderArguments, PageProviderType, resultsOf } from '../search/page-provider.ts';

LogEntry.implement({
  description: 'An entry of the audit log (§2.6).',
  fields: (t) => ({
    id: t.exposeFloat('id', { description: 'An integer; later entries have higher ids.' }),
    category: t.exposeString('category'),
    principalName: t.exposeString('principalName', {
      description: 'The user who triggered the event; for a failed sign-in, the user name that was entered.',
    }),
    comment: t.exposeString('comment', { nullable: true }),
    docLifeCycle: t.exposeString('docLifeCycle', { nullable: true }),
    docPath: t.exposeString('docPath', {
      nullable: true,
      description:
        'The path of the document at the time of the event. The same applies to the other fields about the document.',
    }),
    docType: t.exposeString('docType', { nullable: true }),
    docUUID: t.exposeString('docUUID', { nullable: true }),
    eventId: t.exposeString('eventId', { description: 'The name of the event, such as documentModified.' }),
    repositoryId: t.exposeString('repositoryId', {
      nullable: true,
      description: 'The repository; null for events that concern no repository.',
    }),
    eventDate: t.string({ resolve: ({ eventDate }) => eventDate.toISOString() }),
    logDate: t.string({
      description: 'The time at which the entry was written.',
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
    sortBy: t.stringList({ description: 'The fields by which to sort; defaults to eventDate.' }),
  })),
};

builder.objectField(Document, 'audit', (t) =>
  t.field({
    type: LogEntries,
    description: 'The events of the document, newest first.',
    args: logArguments,
    complexity: pageCost,
    resolve: documentLogEntryPage,
  }),
);

builder.queryField('logEntries', (t) =>
  t.field({
    type: LogEntries,
    description: 'All events, newest first. Only for administrators.',
    args: {
      ...logArguments,
      docUUID: t.arg.idList({ description: 'The ids of documents, including deleted ones.' }),
    },
    complexity: pageCost,
    resolve: (_, args, context) => allLogEntries(args, context),
  }),
);

builder.objectField(PageProviderType, 'logEntries', (t) =>
  t.field({
    type: LogEntries,
    nullable: true,
    description: 'The log entries that the page provider returns; null if it returns something else.',
    args: otherProviderArguments,
    complexity: pageCost,
    resolve: resultsOf('logEntries', findProvidedLogEntries),
  }),
);
