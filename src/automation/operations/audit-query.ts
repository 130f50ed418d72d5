import { allLogEntries } from '../../pages/log-entries.ts';
import { text, texts, whole } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optional, optionally } from '../params.ts';

/** What happened, whether or not the document is still there (§2.6). */
export const auditQuery = operation({
  id: 'Audit.Query',
  label: 'Query Audit Service',
  category: 'Services',
  description: 'Answers a page of all log entries, the latest first; for administrators.',
  kind: 'query',
  isForAdministrators: true,
  takes: ['void'],
  gives: 'logEntries',
  params: {
    eventId: optional(texts, 'What happened: one of these.'),
    category: optional(texts, 'Of one of these kinds.'),
    principalName: optional(texts, 'Who did it: one of these.'),
    docUUID: optional(texts, 'To one of these documents, which may be gone.'),
    startEventDate: optional(text, 'From then on: a W3C date-time or a day.'),
    endEventDate: optional(text, 'Until then: a W3C date-time, or a day, which is in it to its end.'),
    pageSize: optionally(whole, 50, 'Entries on a page, at most 1000.', { aliases: ['maxResults'] }),
    currentPageIndex: optionally(whole, 0, 'Which page, from 0.'),
    sortBy: optional(texts, 'Fields of an entry; eventDate when absent.'),
    sortOrder: optional(texts, 'asc or desc, by position; desc when missing.'),
  },
  run: (context, _, params) => allLogEntries(params, context),
});
