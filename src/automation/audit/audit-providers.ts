import { Invalid, NotFound } from '../../errors.ts';
import type { LogPageRequest } from '../../loaders/audit/log-entry-pages.ts';
import { readListText } from '../../model/values/list-text.ts';
import { texts } from '../params/kinds.ts';

type LogFilter = LogPageRequest & { readonly docUUID?: readonly string[] };

/** Stock page providers: whether they take the id of a document as their positional parameter, or none. */
const takesDocument: Readonly<Record<string, boolean>> = {
  AUDIT_BROWSER: false,
  DOCUMENT_HISTORY_PROVIDER: true,
  EVENTS_VIEW: false,
};

/** The filter that each named parameter stands for. Web forms send the last two. */
const lists = {
  eventIds: 'eventId',
  eventCategories: 'category',
  principalNames: 'principalName',
  eventCategory: 'category',
  principalName: 'principalName',
} as const;
const dates = { startDate: 'startEventDate', endDate: 'endEventDate' } as const;

const prefix = /^bas(?:icauditsearch)?:/;

function readList(name: string, value: unknown): readonly string[] {
  const list = typeof value === 'string' ? readListText(value) : value;
  if (list === undefined) throw new Invalid(`namedParameters: ${name}: is no JSON`);
  const read = texts.read.safeParse(list);
  if (!read.success) throw new Invalid(`namedParameters: ${name}: is no list of texts`);
  return read.data;
}

function readDate(name: string, value: unknown): string {
  if (typeof value !== 'string') throw new Invalid(`namedParameters: ${name}: is no W3C date-time`);
  return value;
}

function readNamed(named: Readonly<Record<string, unknown>>): LogFilter {
  const given = Object.entries(named).filter(([, value]) => value !== null && value !== '');
  const filters = given.map(([spelled, value]): [string, string | readonly string[]] => {
    const name = spelled.replace(prefix, '');
    if (Object.hasOwn(lists, name)) return [lists[name as keyof typeof lists], readList(spelled, value)];
    if (Object.hasOwn(dates, name)) return [dates[name as keyof typeof dates], readDate(spelled, value)];
    const known = [...Object.keys(lists), ...Object.keys(dates)].join(', ');
    throw new Invalid(`namedParameters: ${spelled}: is none of ${known}`);
  });
  return Object.fromEntries(filters.filter(([, value]) => value.length > 0));
}

/** @throws NotFound on an unknown page provider, Invalid on parameters that it does not take. */
export function auditProviderFilter(
  name: string,
  {
    queryParams = [],
    namedParameters = {},
  }: {
    queryParams?: readonly string[] | undefined;
    namedParameters?: Readonly<Record<string, unknown>> | undefined;
  },
): LogFilter {
  if (!Object.hasOwn(takesDocument, name))
    throw new NotFound(`there is no page provider ${name} of the audit`);
  const filter = readNamed(namedParameters);
  const [docUUID, ...others] = queryParams;
  if (!takesDocument[name]) {
    if (docUUID !== undefined) throw new Invalid(`queryParams: ${name} takes none`);
    return filter;
  }
  if (docUUID === undefined || others.length > 0)
    throw new Invalid(`queryParams: ${name} takes the id of one document`);
  return { ...filter, docUUID: [docUUID] };
}
