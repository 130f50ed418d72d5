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

interface GivenLogFilter {
  readonly eventId?: readonly string[] | null | undefined;
  readonly category?: readonly string[] | null | undefined;
  readonly principalName?: readonly string[] | null | undefined;
  readonly startEventDate?: string | null | undefined;
  readonly endEventDate?: string | null | undefined;
}

export interface LogPageRequest extends PageRequest, GivenLogFilter {}

const someDay = /^\d{4}-\d\d-\d\d$/;

function momentOf(text: string | null | undefined, name: string, endOfDay = ''): string | undefined {
  if (typeof text !== 'string') return undefined;
  return asTimestamp(readDate(someDay.test(text) ? text + endOfDay : text, name));
}

/** @throws Invalid */
export function readLogFilter(given: GivenLogFilter): LogFilter {
  const { eventId, category, principalName, startEventDate, endEventDate } = given;
  const names = { eventId: eventId ?? undefined, category: category ?? undefined };
  requireStorable([names, principalName]);
  return {
    ...names,
    principalName: principalName ?? undefined,
    start: momentOf(startEventDate, 'startEventDate'),
    end: momentOf(endEventDate, 'endEventDate', 'T23:59:59.999Z'),
  };
}

/** @throws Invalid */
async function logPage(
  given: LogPageRequest,
  find: (filter: LogFilter, page: PageArguments) => Promise<PageResult<LogEntryRow>>,
): Promise<PageShape<LogEntryRow>> {
  const page = readPage(given);
  return shownPage(page, await find(readLogFilter(given), page));
}

/** @throws Forbidden without Read, which a caller who may write can lack. */
export async function documentLogEntryPage(
  row: DocumentRow,
  given: LogPageRequest,
  context: Context,
): Promise<PageShape<LogEntryRow>> {
  const { load } = context;
  if (!(await load.access.may(row, readPermissionFor(row))))
    throw notGranted(context, readPermissionFor(row), { id: row.id });
  return logPage(given, (filter, page) => load.documentLogEntries(filter, page, row.id));
}

/** @throws Forbidden unless the caller is an administrator; Invalid for a condition on what entries do not have. */
export function allLogEntries(
  given: LogPageRequest & {
    readonly docUUID?: readonly string[] | null | undefined;
    readonly matching?: Condition;
  },
  { load, user }: Context,
): Promise<PageShape<LogEntryRow>> {
  requireAdministrator(user, 'see the whole audit');
  const docUUID = given.docUUID?.filter(isUuid);
  const { matching } = given;
  return logPage(given, (filter, page) => load.logEntries({ ...filter, docUUID, matching }, page));
}
