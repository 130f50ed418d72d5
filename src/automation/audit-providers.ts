import { Invalid, NotFound } from '../errors.ts';
import type { GivenLogPage } from '../pages/log-entries.ts';
import { texts } from './kinds.ts';

/** Which log entries a page provider is asked for. */
type Wish = GivenLogPage & { readonly docUUID?: readonly string[] };

/** The stock page providers of the audit by name, and whether the one value that they take is the id of a document. */
const providers: Readonly<Record<string, { readonly ofDocument: boolean }>> = {
  AUDIT_BROWSER: { ofDocument: false },
  DOCUMENT_HISTORY_PROVIDER: { ofDocument: true },
  EVENTS_VIEW: { ofDocument: false },
};

/** The named parameters of all of them, by what the filters of the audit call them; web forms send the last two. */
const lists = {
  ...{ eventIds: 'eventId', eventCategories: 'category', principalNames: 'principalName' },
  ...{ eventCategory: 'category', principalName: 'principalName' },
} as const;
const dates = { startDate: 'startEventDate', endDate: 'endEventDate' } as const;

const prefix = /^bas(?:icauditsearch)?:/;

/** JSON of a list in a text, a list, or words with commas between them. @throws Invalid */
function readList(name: string, value: unknown): readonly string[] {
  const isJson = typeof value === 'string' && /^\s*\[/.test(value);
  let list = value;
  try {
    if (isJson) list = JSON.parse(value);
  } catch {
    throw new Invalid(`namedParameters: ${name}: is no JSON`);
  }
  const read = texts.read.safeParse(list);
  if (!read.success) throw new Invalid(`namedParameters: ${name}: is no list of texts`);
  return read.data;
}

function readDate(name: string, value: unknown): string {
  if (typeof value !== 'string') throw new Invalid(`namedParameters: ${name}: is no W3C date-time`);
  return value;
}

function readNamed(named: Readonly<Record<string, unknown>>): Wish {
  const entries = Object.entries(named).filter(([, value]) => value !== null && value !== '');
  const wishes = entries.map(([spelled, value]): [string, string | readonly string[]] => {
    const name = spelled.replace(prefix, '');
    if (Object.hasOwn(lists, name)) return [lists[name as keyof typeof lists], readList(spelled, value)];
    if (Object.hasOwn(dates, name)) return [dates[name as keyof typeof dates], readDate(spelled, value)];
    const known = [...Object.keys(lists), ...Object.keys(dates)].join(', ');
    throw new Invalid(`namedParameters: ${spelled}: is none of ${known}`);
  });
  return Object.fromEntries(wishes.filter(([, value]) => value.length > 0));
}

/**
 * What a stock page provider of the audit means by its parameters.
 * @throws NotFound when there is no such provider; Invalid on values that it does not take.
 */
export function auditWish(
  name: string,
  {
    queryParams = [],
    namedParameters = {},
  }: {
    queryParams?: readonly string[] | undefined;
    namedParameters?: Readonly<Record<string, unknown>> | undefined;
  },
): Wish {
  const provider = Object.hasOwn(providers, name) ? providers[name] : undefined;
  if (!provider) throw new NotFound(`there is no page provider ${name} of the audit`);
  const wish = readNamed(namedParameters);
  const [docUUID, ...more] = queryParams;
  if (!provider.ofDocument) {
    if (docUUID !== undefined) throw new Invalid(`queryParams: ${name} takes none`);
    return wish;
  }
  if (docUUID === undefined || more.length > 0)
    throw new Invalid(`queryParams: ${name} takes the id of one document`);
  return { ...wish, docUUID: [docUUID] };
}
