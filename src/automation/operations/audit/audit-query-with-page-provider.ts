import { NotFound } from '../../../errors.ts';
import { findProvidedLogEntries } from '../../../loaders/audit/provided-log-entries.ts';
import { defaultPageSize } from '../../../loaders/lists/page.ts';
import { otherProviders } from '../../../model/search/other-providers.ts';
import { unknownName } from '../../../near-names.ts';
import { operation } from '../../operation.ts';
import { fewTexts, integer, propertyMap, text, texts } from '../../params/kinds.ts';
import { cursorParam } from '../../params/shared-params.ts';

const auditProviders = [...otherProviders.values()]
  .filter(({ finds }) => finds === 'logEntries')
  .map(({ name }) => name);

export const auditQueryWithPageProvider = operation({
  id: 'Audit.QueryWithPageProvider',
  aliases: ['Audit.PageProvider'],
  label: 'Audit Query With Page Provider',
  category: 'Services',
  description:
    'Returns a page of the log entries that a page provider lists, latest first. Only for administrators.',
  example: { params: { providerName: 'AUDIT_BROWSER', pageSize: 2 } },
  isForAdministrators: true,
  gives: 'logEntries',
  params: {
    providerName: text.required('AUDIT_BROWSER, DOCUMENT_HISTORY_PROVIDER or EVENTS_VIEW.'),
    queryParams: texts.optional(
      'For DOCUMENT_HISTORY_PROVIDER, the id of the document, which may have been deleted.',
    ),
    namedParameters: propertyMap.optional(
      'Filters: eventIds, eventCategories, principalNames, startDate, endDate.',
      { aliases: ['namedQueryParams', 'namedQueryParameters'] },
    ),
    currentPageIndex: integer.withDefault(0, 'The index of the page, from 0.', { aliases: ['page'] }),
    pageSize: integer.withDefault(defaultPageSize, 'The maximum number of entries: up to 1000.', {
      aliases: ['maxResults'],
    }),
    cursor: cursorParam,
    sortBy: fewTexts.optional('The fields of an entry by which to sort; defaults to eventDate.'),
    sortOrder: fewTexts.optional('asc or desc for each field in sortBy; defaults to desc.'),
  },
  run: async (context, _, { providerName, namedParameters, ...given }) => {
    const provider = otherProviders.get(providerName);
    if (provider?.finds !== 'logEntries')
      throw new NotFound(unknownName('page provider', providerName, auditProviders));
    return findProvidedLogEntries(context, provider, { ...given, parameters: namedParameters });
  },
});
