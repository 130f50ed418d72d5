import type { Context } from '../context.ts';
import { Forbidden } from '../errors.ts';
import type { LogEntriesPage, LogEntryRow, LogFilter, LogPage } from '../loaders/log-entries.ts';
import { isUuid } from '../model/names.ts';
import { readDate } from '../model/read-value.ts';
import { requireStorable } from '../model/storable.ts';
import { type GivenPage, type PageShape, readPage } from './page.ts';

/** Which log entries are wanted (§2.6), wherever that is asked. */
interface GivenLogFilter {
  readonly eventId?: readonly string[] | null | undefined;
  readonly category?: readonly string[] | null | undefined;
  readonly principalName?: readonly string[] | null | undefined;
  readonly startEventDate?: string | null | undefined;
  readonly endEventDate?: string | null | undefined;
}

/** And those of a page. */
export interface GivenLogPage extends GivenPage, GivenLogFilter {}

const someDay = /^\d{4}-\d\d-\d\d$/;

function momentOf(text: string | null | undefined, name: string, endOfDay = ''): string | undefined {
  if (typeof text !== 'string') return undefined;
  return readDate(someDay.test(text) ? text + endOfDay : text, name);
}

/** @throws Invalid */
export function filterOf(given: GivenLogFilter): LogFilter {
  const { eventId, category, principalName, startEventDate, endEventDate } = given;
  const names = { eventId: eventId ?? undefined, category: category ?? undefined };
  requireStorable([names, principalName]);
  return {
    ...{ ...names, principalName: principalName ?? undefined },
    start: momentOf(startEventDate, 'startEventDate'),
    end: momentOf(endEventDate, 'endEventDate', 'T23:59:59.999Z'),
  };
}

/** A page of log entries, as the arguments want it. @throws Invalid */
export async function logPage(
  given: GivenLogPage,
  find: (page: LogPage) => Promise<LogEntriesPage>,
): Promise<PageShape<LogEntryRow>> {
  const page = { ...readPage(given), ...filterOf(given) };
  const { rows, total } = await find(page);
  return { ...page, entries: rows, total };
}

/** A page of all log entries. @throws Forbidden for whoever is no administrator. */
export function allLogEntries(
  given: GivenLogPage & { readonly docUUID?: readonly string[] | null | undefined },
  { load, user }: Context,
): Promise<PageShape<LogEntryRow>> {
  if (!user.isAdministrator) throw new Forbidden('the whole audit is for administrators');
  return logPage(given, (page) => load.logEntries(page, given.docUUID?.filter(isUuid)));
}
