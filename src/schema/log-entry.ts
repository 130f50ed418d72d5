import type { Context } from '../context.ts';
import { notGranted, toRead } from '../loaders/access.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import type { LogEntryRow } from '../loaders/log-entries.ts';
import { allLogEntries, type GivenLogPage, logPage } from '../pages/log-entries.ts';
import type { PageShape } from '../pages/page.ts';
import { builder, Document, LogEntries, LogEntry } from './builder.ts';
import { Page, pageArguments, pageCost } from './page.ts';

LogEntry.implement({
  description: 'Something that happened, as the audit tells it (§2.6).',
  fields: (t) => ({
    id: t.exposeFloat('id', { description: 'A whole number; later entries have higher ones.' }),
    category: t.exposeString('category'),
    principalName: t.exposeString('principalName', { description: 'Who did it, or was said to.' }),
    comment: t.exposeString('comment', { nullable: true }),
    docLifeCycle: t.exposeString('docLifeCycle', { nullable: true }),
    docPath: t.exposeString('docPath', { nullable: true, description: 'As it was then, like all of these.' }),
    docType: t.exposeString('docType', { nullable: true }),
    docUUID: t.exposeString('docUUID', { nullable: true }),
    eventId: t.exposeString('eventId', { description: 'What happened: documentModified, say.' }),
    repositoryId: t.exposeString('repositoryId', {
      nullable: true,
      description: 'None of what happened in none.',
    }),
    eventDate: t.string({ resolve: ({ eventDate }) => eventDate.toISOString() }),
    logDate: t.string({
      description: 'When the entry was written.',
      resolve: ({ logDate }) => logDate.toISOString(),
    }),
    extended: t.field({ type: 'JSON', resolve: ({ extended }) => extended }),
  }),
});

LogEntries.implement({
  description: 'A page of log entries.',
  interfaces: [Page],
  fields: (t) => ({
    entries: t.field({
      type: [LogEntry],
      complexity: { multiplier: 1 },
      resolve: ({ entries }) => [...entries],
    }),
  }),
});

const { pageSize, currentPageIndex, offset, sortOrder } = pageArguments;

/** Which entries are wanted. */
export const logFilterArguments = builder.args((t) => ({
  eventId: t.stringList({ description: 'What happened: one of these.' }),
  category: t.stringList({ description: 'Of one of these kinds.' }),
  principalName: t.stringList({ description: 'Who did it: one of these.' }),
  startEventDate: t.string({ description: 'From then on: a W3C date-time or a day (UTC).' }),
  endEventDate: t.string({
    description: 'Until then: a W3C date-time, or a day, which is in it to its end.',
  }),
}));

/** And which page of them. */
const logArguments = {
  ...{ pageSize, currentPageIndex, offset, sortOrder },
  ...logFilterArguments,
  ...builder.args((t) => ({
    sortBy: t.stringList({ description: 'Fields of an entry; eventDate when absent.' }),
  })),
};

/** @throws Forbidden for whoever may not read the document, though he may change it. */
async function auditOf(
  row: DocumentRow,
  given: GivenLogPage,
  context: Context,
): Promise<PageShape<LogEntryRow>> {
  const { load } = context;
  if (!(await load.access.may(row.aclId, toRead(row)))) throw notGranted(context, toRead(row));
  return logPage(given, (page) => load.logEntryPages(row.id, page));
}

builder.objectField(Document, 'audit', (t) =>
  t.field({
    type: LogEntries,
    description: 'What happened to it, the latest first.',
    args: logArguments,
    complexity: pageCost,
    resolve: (row, given, context) => auditOf(row, given, context),
  }),
);

builder.queryField('logEntries', (t) =>
  t.field({
    type: LogEntries,
    description: 'What happened, the latest first; for administrators.',
    args: {
      ...logArguments,
      docUUID: t.arg.idList({ description: 'To one of these documents, which may be gone.' }),
    },
    complexity: pageCost,
    resolve: (_, given, context) => allLogEntries(given, context),
  }),
);
