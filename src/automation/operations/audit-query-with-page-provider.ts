import { allLogEntries } from '../../pages/log-entries.ts';
import { auditWish } from '../audit-providers.ts';
import { properties, text, texts, whole } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optional, optionally, required } from '../params.ts';

/** What happened, as stock lists of it show it (§2.6). */
export const auditQueryWithPageProvider = operation({
  id: 'Audit.QueryWithPageProvider',
  label: 'Audit Query With Page Provider',
  category: 'Services',
  description:
    'Answers a page of the log entries that a page provider lists, the latest first; for administrators.',
  kind: 'query',
  isForAdministrators: true,
  takes: ['void'],
  gives: 'logEntries',
  params: {
    providerName: required(text, 'AUDIT_BROWSER, DOCUMENT_HISTORY_PROVIDER or EVENTS_VIEW.'),
    queryParams: optional(texts, 'Of DOCUMENT_HISTORY_PROVIDER the id of the document, which may be gone.'),
    namedParameters: optional(
      properties,
      'Filters: eventIds, eventCategories, principalNames, startDate, endDate.',
      { aliases: ['namedQueryParams', 'namedQueryParameters'] },
    ),
    currentPageIndex: optionally(whole, 0, 'Which page, from 0.', { aliases: ['page'] }),
    pageSize: optionally(whole, 50, 'Entries on a page, at most 1000.', { aliases: ['maxResults'] }),
    sortBy: optional(texts, 'Fields of an entry; eventDate when absent.'),
    sortOrder: optional(texts, 'asc or desc, by position; desc when missing.'),
  },
  run: async (context, _, { providerName, queryParams, namedParameters, ...page }) =>
    allLogEntries({ ...auditWish(providerName, { queryParams, namedParameters }), ...page }, context),
});
