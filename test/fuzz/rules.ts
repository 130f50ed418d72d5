import { isCall } from './calls.ts';
import type { Answer } from './raw.ts';
import type { Request } from './requests.ts';

/**
 * What no read may exceed, authentication included: a user, a document, a page of its children or its ACLs, memberships in
 * collections, and effective ACLs that this process has not met yet.
 */
const mostByReading = 5;

/** The same for entries: a user, a page of them, and four generations of parents. */
const mostByReadingEntries = 6;

/** What no write may exceed, a name that is taken included. */
const mostByWriting = 12;

/** Documents that a call is given at most; it writes one after the other. */
const mostInCall = 3;

/** What a user's workspace and the collections in it cost, once, when a call first needs them. */
const mostOnDemand = 30;

const isRead = ({ method }: Request): boolean => !['POST', 'PUT', 'DELETE'].includes(method);

/** Whether a request gives its transaction a time, which it then may exceed. */
const hasTimeout = ({ headers, query }: Request): boolean =>
  [...headers, ...query].some(([name]) => /transaction.timeout$/i.test(name));

const isOfEntries = ({ path }: Request): boolean => path.includes('/directory/');

/** The same for users and groups: a user, a group, a page of its members, their groups and their profiles. */
const mostByReadingAuthorities = 5;

const isOfAuthorities = ({ path }: Request): boolean => /\/(user|group|me)\b/.test(path);

function mostReading(request: Request): number {
  if (isOfEntries(request)) return mostByReadingEntries;
  return isOfAuthorities(request) ? mostByReadingAuthorities : mostByReading;
}

/** What enrichers and fetch properties add to any answer: twenty for each level of documents in documents. */
const mostByShaping = 4 * 20;

/** Whether a request asks for enrichers or fetch properties. */
const isShaped = ({ headers, query }: Request): boolean =>
  [...headers, ...query].some(([name]) => /enrichers|fetch|nxcontext/i.test(name));

const mostWriting = (request: Request): number =>
  isCall(request) ? mostByWriting * mostInCall + mostOnDemand : mostByWriting;

function mostStatements(request: Request): number {
  const most = isRead(request) ? mostReading(request) : mostWriting(request);
  return isShaped(request) ? most + mostByShaping : most;
}

/** §4.3 to §4.5: a body that names something missing, or something that is taken, is a 500 that says so. */
const isOfContract = (request: Request, body: Buffer): boolean =>
  (isOfEntries(request) && /does not exist|no entry|already exists/.test(body.toString('utf8'))) ||
  (isOfAuthorities(request) && /does not exist/.test(body.toString('utf8')));

/** §4.8: an operation that is named and not served answers 501. */
export const isNotServed = ({ path }: Request): boolean =>
  /\/Document\.CreateLiveProxy(\/@async)?$/.test(path);

/** Whether a request is no HTTP: Node's parser, not we, turns it away then. */
export function isMalformed(head: string): boolean {
  const [first = '', ...lines] = Buffer.from(head, 'utf8').toString('latin1').split('\r\n');
  const isTooLong = head.length > 14_000; // from 16 KB on for sure; a little less is for Node to say
  const [method = '', target = '', version, ...more] = first.split(' ');
  const isKnown = /^(GET|HEAD|POST|PUT|DELETE|OPTIONS|PATCH|TRACE|PROPFIND)$/.test(method);
  const isTarget = /^(\/|\*$|[a-z]+:\/\/)[\x21-\x7e]*$/.test(target);
  const isLine = isKnown && isTarget && version === 'HTTP/1.1' && more.length === 0;
  const isHeader = (line: string) => line === '' || /^[\w!#$%&'*+.^`|~-]+:[^\p{Cc}]*$/u.test(line);
  return isTooLong || !isLine || !lines.every(isHeader);
}

/** The body of an error: what is wrong with it, if anything. */
function errorFaults({ status, headers, body }: Answer): string[] {
  if (!/^application\/json\b/.test(headers.get('content-type') ?? '')) return ['an error that is no JSON'];
  const error = JSON.parse(body.toString('utf8')) as Record<string, unknown>;
  const type = error['entity-type'];
  if (type === 'validation_report' && status !== 422) return ['a validation report that is not a 422'];
  if (type !== 'exception' && type !== 'validation_report')
    return [`an error of type ${JSON.stringify(type)}`];
  const faults = error.status === status ? [] : [`says that its status is ${JSON.stringify(error.status)}`];
  if (typeof error.message !== 'string' || error.message === '') faults.push('an error without a message');
  if ((error.requestId ?? null) !== headers.get('x-request-id')) faults.push('another request id');
  if ('stacktrace' in error) faults.push('a stack trace');
  return faults;
}

/** Names every rule that an answer breaks: those that hold for all answers, whatever was asked. */
export function brokenRules(request: Request, head: string, answer: Answer): string[] {
  const { status, headers, body } = answer;
  const isParsers = !headers.has('x-request-id') && [400, 408, 431, 505].includes(status);
  if (isParsers && isMalformed(head)) return body.length === 0 ? [] : errorFaults(answer);
  const faults: string[] = [];
  const isAllowed =
    (status === 503 && hasTimeout(request)) ||
    (status === 501 && isNotServed(request)) ||
    (status === 500 && isOfContract(request, body));
  if (status >= 500 && !isAllowed) faults.push('a fault of the server');
  if (!headers.has('x-request-id')) faults.push('no X-Request-Id');
  const [, count] = /sql;dur=[\d.]+;desc="(\d+)"/.exec(headers.get('server-timing') ?? '') ?? [];
  if (count === undefined) faults.push('no Server-Timing');
  const most = mostStatements(request);
  if (Number(count) > most) faults.push(`${count} statements, at most ${most}`);
  const isHead = request.method === 'HEAD';
  if (isHead && body.length > 0) faults.push('a body that answers a HEAD');
  if (status >= 400 && !isHead) faults.push(...errorFaults(answer));
  return faults;
}
