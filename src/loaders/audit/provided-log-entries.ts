import { DocumentNotFound } from '../../errors.ts';
import type { OtherProvider } from '../../model/search/other-providers.ts';
import {
  parameterValue,
  readParameterText,
  readParameterTexts,
} from '../../query/providers/provider-parameters.ts';
import { variablesOf } from '../../query/read-query.ts';
import type { Context } from '../context.ts';
import type { PageShape } from '../lists/page.ts';
import { type ProvidedRequest, positionalValues } from '../search/other-providers.ts';
import type { LogEntryRow } from './log-entries.ts';
import { allLogEntries, documentLogEntryPage, type LogPageRequest } from './log-entry-pages.ts';

/** Maps named parameters to the filters that they set. The last two parameters are sent by clients' web forms. */
const lists = [
  ['eventIds', 'eventId'],
  ['eventCategories', 'category'],
  ['principalNames', 'principalName'],
  ['eventCategory', 'category'],
  ['principalName', 'principalName'],
] as const;
const dates = [
  ['startDate', 'startEventDate'],
  ['endDate', 'endEventDate'],
] as const;

function namedFilter(
  context: Context,
  named: NonNullable<ProvidedRequest['parameters']>,
): Partial<LogPageRequest> {
  const variables = variablesOf(context);
  const filters = [
    ...lists.map(([name, field]) => {
      const values = readParameterTexts(name, parameterValue(named, name), variables);
      return [field, values.length > 0 ? values : undefined] as const;
    }),
    ...dates.map(([name, field]) => {
      const value = parameterValue(named, name);
      return [field, value === undefined ? undefined : readParameterText(name, value, variables)] as const;
    }),
  ];
  return Object.fromEntries(filters.filter(([, value]) => value !== undefined));
}

/**
 * Reads the log entries for a page provider. Everyone who can read a document gets the entries about it; administrators
 * also get those about deleted documents and those without a document.
 * @throws Forbidden, NotFound, Invalid
 */
export async function findProvidedLogEntries(
  context: Context,
  provider: OtherProvider,
  request: ProvidedRequest,
): Promise<PageShape<LogEntryRow>> {
  const { parameters = {}, queryParams: _, document: __, ...page } = request;
  const { documentId } = positionalValues(context, provider, request);
  const logRequest = { ...page, ...namedFilter(context, parameters) };
  if (!documentId || context.user.isAdministrator)
    return allLogEntries({ ...logRequest, docUUID: documentId }, context);
  const [id = ''] = documentId;
  const row = await context.load.documentById.load(id);
  if (!row) throw new DocumentNotFound(id);
  return documentLogEntryPage(row, logRequest, context);
}
