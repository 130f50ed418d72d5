import { Invalid } from '../../../errors.ts';
import { allLogEntries } from '../../../loaders/audit/log-entry-pages.ts';
import { defaultPageSize } from '../../../loaders/lists/page.ts';
import { parseLogQuery } from '../../audit/log-query.ts';
import { operation } from '../../operation.ts';
import { fewTexts, integer, text } from '../../params/kinds.ts';
import { cursorParam } from '../../params/shared-params.ts';

function indexOf(pageNo: number): number {
  if (pageNo < 1) throw new Invalid(`pageNo must be at least 1; got ${pageNo}.`);
  return pageNo - 1;
}

export const auditQuery = operation({
  id: 'Audit.Query',
  label: 'Query Audit Service',
  category: 'Services',
  description: 'Returns a page of all log entries, latest first. Only for administrators.',
  example: { params: { eventId: ['documentCreated'], pageSize: 2 } },
  isForAdministrators: true,
  gives: 'logEntries',
  params: {
    query: text.optional(
      "Conditions in addition to the parameters, such as: from LogEntry log where log.eventId = 'loginFailed' or log.comment like '%late%'.",
    ),
    eventId: fewTexts.optional('The event ids; an entry must have one of them.'),
    category: fewTexts.optional('The categories; an entry must have one of them.'),
    principalName: fewTexts.optional('The names of users; one of them must have triggered the event.'),
    docUUID: fewTexts.optional(
      'The ids of documents; the event must concern one of them. The documents may have been deleted.',
    ),
    startEventDate: text.optional('The earliest time: a W3C date-time or a day.'),
    endEventDate: text.optional('The latest time: a W3C date-time or a day, which is included.'),
    pageSize: integer.withDefault(defaultPageSize, 'The maximum number of entries: up to 1000.', {
      aliases: ['maxResults'],
    }),
    currentPageIndex: integer.withDefault(0, 'The index of the page, from 0.'),
    pageNo: integer.optional('The number of the page, from 1; an alternative to its index.'),
    cursor: cursorParam,
    sortBy: fewTexts.optional('The fields of an entry by which to sort; defaults to eventDate.'),
    sortOrder: fewTexts.optional('asc or desc for each field in sortBy; defaults to desc.'),
  },
  run: async (context, _, { query, pageNo, currentPageIndex, ...params }) => {
    const page = { ...params, currentPageIndex: pageNo === undefined ? currentPageIndex : indexOf(pageNo) };
    return allLogEntries({ ...page, ...(query !== undefined && parseLogQuery(query)) }, context);
  },
});
