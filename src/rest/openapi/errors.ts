import type { ErrorCode } from '../../errors.ts';
import { statuses } from '../errors.ts';
import { anyOf, type Json, ref } from './json-schema.ts';

/** What decides which errors a row may answer with, and which headers matter to it. */
export interface Traits {
  /** Whether its address names something. */
  readonly isAddressed: boolean;
  /** Whether `If-Match` may name the state that is meant. */
  readonly isGuarded: boolean;
  readonly isJsonOnly: boolean;
  readonly answersFiles: boolean;
  readonly takesBody: boolean;
  readonly writes: boolean;
  readonly writesDocuments: boolean;
}

/** All but that of another method, which is in no row. */
type Shared = Exclude<ErrorCode, 'METHOD_NOT_ALLOWED'>;

const always = () => true;
const writes = (row: Traits) => row.writes;
const hasBody = (row: Traits) => row.takesBody;

/** §7: what each kind of error means, and which rows may answer with it. */
const kinds: Readonly<Record<Shared, { says: string; on: (row: Traits) => boolean }>> = {
  INVALID: { says: 'A header, a parameter or the body cannot be understood.', on: always },
  UNAUTHENTICATED: { says: 'No credentials, or wrong ones.', on: always },
  FORBIDDEN: { says: 'The caller has not the right to do this.', on: always },
  NOT_FOUND: { says: 'What is addressed does not exist.', on: ({ isAddressed }) => isAddressed },
  NOT_ACCEPTABLE: { says: 'Nothing that is accepted is served here.', on: ({ isJsonOnly }) => isJsonOnly },
  CONFLICT: { says: 'It is there already, or in a state that does not allow this.', on: writes },
  STALE: { says: 'The change token in the body is out of date.', on: writes },
  PRECONDITION_FAILED: { says: '`If-Match` names another state.', on: ({ isGuarded }) => isGuarded },
  TOO_LARGE: { says: 'The body is too large.', on: hasBody },
  UNSUPPORTED_MEDIA: { says: 'The body is of another content type than is taken here.', on: hasBody },
  RANGE_NOT_SATISFIABLE: { says: 'The range lies outside.', on: ({ answersFiles }) => answersFiles },
  UNPROCESSABLE: { says: 'Values break constraints of the content model.', on: hasBody },
  KEY_REUSED: { says: 'The `Idempotency-Key` was sent with another request before.', on: writes },
  TOO_MANY_REQUESTS: { says: 'Too many failed log-ins of late.', on: always },
  BAD_REFERENCE: {
    says: 'The body names something that is missing, or already there.',
    on: (row) => hasBody(row) && !row.writesDocuments,
  },
  TIMED_OUT: { says: 'The call took longer than it was given, and was undone.', on: always },
  UNAVAILABLE: { says: 'The database, or the server, is not free to answer.', on: always },
};

const entries = Object.entries(kinds) as Array<[Shared, (typeof kinds)[Shared]]>;

/** What the shared answer of a status is called. */
const nameOf = (status: number): string => `Error${status}`;

/** The errors of a row, by status; `default` is any other. */
export function errorsOf(row: Traits): Record<string, Json> {
  const found = new Set(entries.filter(([, { on }]) => on(row)).map(([code]) => statuses[code]));
  return {
    ...Object.fromEntries([...found].map((status) => [status, ref('responses', nameOf(status))])),
    default: ref('responses', 'Error'),
  };
}

const header = (description: string, schema: Json): Json => ({ description, schema });

/** The headers that errors of a status have. */
const headers: Readonly<Record<number, Json>> = {
  401: { 'WWW-Authenticate': header('How to authenticate.', { type: 'string' }) },
  429: { 'Retry-After': header('Seconds after which to try again.', { type: 'integer' }) },
  503: { 'Retry-After': header('Seconds after which to try again.', { type: 'integer' }) },
};

/** The answers with errors that rows share, by name. */
export function sharedErrors(): Record<string, Json> {
  const content = (...names: readonly string[]) => ({
    'application/json': { schema: anyOf(names.map((name) => ref('schemas', name))) },
  });
  const errors = [...new Set(entries.map(([code]) => statuses[code]))].map((status): [string, Json] => [
    nameOf(status),
    {
      description: entries.flatMap(([code, { says }]) => (statuses[code] === status ? [says] : [])).join(' '),
      ...(headers[status] && { headers: headers[status] }),
      content:
        status === statuses.UNPROCESSABLE ? content('ValidationReport', 'Exception') : content('Exception'),
    },
  ]);
  return {
    ...Object.fromEntries(errors),
    Error: { description: 'Any other error.', content: content('Exception') },
  };
}

const text: Json = { type: 'string' };
const object = (properties: Readonly<Record<string, Json>>, ...left: readonly string[]): Json => ({
  ...{ type: 'object', properties },
  required: Object.keys(properties).filter((name) => !left.includes(name)),
});

/** The path of a value at fault: names of fields, and places in lists. */
const path: Json = {
  type: 'array',
  items: object({ field_name: text, is_list_item: { type: 'boolean' }, index: { type: 'integer' } }, 'index'),
};

/** The bodies of errors. */
export const errorSchemas: Readonly<Record<string, Json>> = {
  Exception: {
    description: 'What is wrong (§7).',
    ...object(
      {
        'entity-type': { type: 'string', const: 'exception' },
        status: { type: 'integer' },
        message: text,
        requestId: { type: 'string', description: 'What the log of the server calls the request.' },
        stacktrace: { type: 'string', description: 'For developers of the server alone.' },
      },
      ...['requestId', 'stacktrace'],
    ),
  },
  ValidationReport: {
    description: 'Every constraint of the content model that values break (§7).',
    ...object({
      'entity-type': { type: 'string', const: 'validation_report' },
      has_error: { type: 'boolean' },
      number: { type: 'integer' },
      violations: { type: 'array', items: ref('schemas', 'Violation') },
    }),
  },
  Violation: object(
    {
      messageKey: text,
      message: text,
      invalid_value: {},
      constraint: object({
        'entity-type': { type: 'string', const: 'validation_constraint' },
        name: text,
        parameters: { type: 'object', additionalProperties: text },
      }),
      path,
    },
    'invalid_value',
  ),
};
