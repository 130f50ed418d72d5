import { isUuid } from '../../model/names.ts';
import { readDate } from '../../model/values/read-value.ts';
import { requireStorable } from '../../model/values/storable.ts';
import { asTimestamp } from '../../model/values/timestamp.ts';
import type { Condition } from '../../query/ast.ts';
import { requireAdministrator } from '../../security/principal.ts';
import { notGranted, readPermissionFor } from '../acls/access.ts';
import type { Context } from '../context.ts';
import type { DocumentRow } from '../documents/document-row.ts';
import { type PageArguments, type PageRequest, type PageShape, readPage } from '../lists/page.ts';
import { type PageResult, shownPage } from '../lists/page-loader.ts';
import type { LogEntryRow, LogFilter } from './log-entries.ts';

interface LogFilterRequest {
  readonly eventId?: readonly string[] | null | undefined;
  readonly category?: readonly string[] | null | undefined;
  readonly principalName?: readonly string[] | null | undefined;
  readonly startEventDate?: string | null | undefined;
  readonly endEventDate?: string | null | undefined;
}

export interface LogPageRequest extends PageRequest, LogFilterRequest {}

const datePattern = /^\d{4}-\d\d-\d\d$/;

function momentOf(text: string | null | undefined, name: string, endOfDay = ''): string | undefined {
  if (typeof text !== 'string') return undefined;
  return asTimestamp(readDate(datePattern.test(text) ? text + endOfDay : text, name));
}

/** Checks the filters of a request. A date without a time covers the whole day. @throws Invalid */
export function readLogFilter(request: LogFilterRequest): LogFilter {
  const { eventId, category, principalName, startEventDate, endEventDate } = request;
  const names = { eventId: eventId ?? undefined, category: category ?? undefined };
  requireStorable([names, principalName]);
  return {
    ...names,
    principalName: principalName ?? undefined,
    start: momentOf(startEventDate, 'startEventDate'),
    end: momentOf(endEventDate, 'endEventDate', 'T23:59:59.999Z'),
  };
}

/**
 * Reads a page of log entries.
 * @throws Invalid
 */
async function logPage(
  request: LogPageRequest,
  find: (filter: LogFilter, page: PageArguments) => Promise<PageResult<LogEntryRow>>,
): Promise<PageShape<LogEntryRow>> {
  const page = readPage(request);
  return shownPage(page, await find(readLogFilter(request), page));
}

/**
 * Reads a page of a document's log entries.
 * @throws Forbidden without Read, which even callers who can write may lack
 */
export async function documentLogEntryPage(
  row: DocumentRow,
  request: LogPageRequest,
  context: Context,
): Promise<PageShape<LogEntryRow>> {
  const { load } = context;
  if (!(await load.access.may(row, readPermissionFor(row))))
    throw notGranted(context, readPermissionFor(row), { id: row.id });
  return logPage(request, (filter, page) => load.documentLogEntries(filter, page, row.id));
}

/**
 * Reads a page of all log entries.
 * @throws Forbidden unless the caller is an administrator; Invalid if a condition names fields that entries do not have
 */
export function allLogEntries(
  request: LogPageRequest & {
    readonly docUUID?: readonly string[] | null | undefined;
    readonly matching?: Condition;
  },
  { load, user }: Context,
): Promise<PageShape<LogEntryRow>> {
  requireAdministrator(user, 'see the whole audit log');
  const docUUID = request.docUUID?.filter(isUuid);
  const { matching } = request;
  return logPage(request, (filter, page) => load.logEntries({ ...filter, docUUID, matching }, page));
}
