import type { ErrorCode } from '../errors.ts';
import { statuses } from '../http/errors.ts';
import { defaultLimits } from '../model/default-limits.ts';
import type { Trait } from '../rest/route-traits.ts';
import { headerRefs } from './answer-headers.ts';
import { anyOfSchemas, type Json, objectSchema, ref, textSchema } from './json-schema.ts';

const { maxLength, maxItems, maxKeys } = defaultLimits;

/**
 * The error codes that the description lists for routes. 405 is not included, because it is the response to methods
 * that have no route.
 */
type DescribedCode = Exclude<ErrorCode, 'METHOD_NOT_ALLOWED'>;

/** §7: all errors, each with the trait of the routes that can respond with it. */
const errors: Readonly<Record<DescribedCode, readonly [trait: Trait, description: string]>> = {
  INVALID: ['all', 'A header, a parameter or the body is invalid.'],
  UNAUTHENTICATED: ['all', 'Credentials are missing or wrong.'],
  FORBIDDEN: ['all', 'The caller lacks the permission.'],
  NOT_FOUND: ['all', 'The URL or `Repository` refers to something that does not exist.'],
  NOT_ACCEPTABLE: ['answersJsonOnly', 'None of the accepted media types is available.'],
  CONFLICT: ['writes', 'The resource already exists, or its state does not allow the change.'],
  STALE: ['writes', 'The change token in the body is out of date.'],
  PRECONDITION_FAILED: [
    'guarded',
    '`If-Match` does not contain the current state, or `If-None-Match` contains it.',
  ],
  TOO_LARGE: [
    'all',
    'The body has too many bytes (`BODY_LIMIT`, `UPLOAD_LIMIT`, `UPLOAD_QUOTA`) or JSON values (`JSON_VALUES_LIMIT`), is nested more than 100 levels deep, contains an object with more than 10,000 fields, or is a form with more than 1,000 fields; or the response would be longer than `ANSWER_LIMIT`, or its rows would take up more than half of `MEMORY_BUDGET`.',
  ],
  UNSUPPORTED_MEDIA: ['takesBody', 'The media type of the body is not accepted.'],
  UNPROCESSABLE: [
    'takesBody',
    `Values violate constraints of the content model, such as its limits (§8). Unless the schema sets other limits, a string has at most ${maxLength} characters, a list ${maxItems} items, and a map ${maxKeys} keys.`,
  ],
  KEY_REUSED: ['writes', 'The `Idempotency-Key` has already been used for a different request.'],
  TOO_MANY_REQUESTS: [
    'all',
    'Too many sign-ins have failed recently; or the caller has too many unfinished executions, bulk actions, conversions or upload batches, or has sent emails to too many recipients (`MAIL_LIMIT`).',
  ],
  BAD_REFERENCE: [
    'takesReferences',
    'The body refers to something that does not exist, or that already exists.',
  ],
  NOT_SERVED: ['notServed', 'Scripts and live proxies are not supported.'],
  NOT_INSTALLED: ['needsPrograms', 'A program that converts such files is not installed.'],
  TIMED_OUT: ['all', 'The call exceeded its timeout and was rolled back.'],
  INSUFFICIENT_STORAGE: ['storesBytes', 'There is no space left to store the body.'],
  UNAVAILABLE: [
    'all',
    'The server or the database is overloaded, unavailable or stopping; too many requests, searches, conversions or large bodies are waiting, in total or for the caller; or other requests have used up the `MEMORY_BUDGET`.',
  ],
};

const entries = Object.entries(errors).map(([code, [trait, description]]) => ({
  status: statuses[code as DescribedCode],
  trait,
  description,
}));

const responseName = (status: number): string => `Error${status}`;

export function errorResponsesOf(traits: ReadonlySet<Trait>): Record<string, Json> {
  const found = entries.filter(({ trait }) => traits.has(trait)).map(({ status }) => status);
  return {
    ...Object.fromEntries(
      [...new Set(found)].map((status) => [status, ref('responses', responseName(status))]),
    ),
    default: ref('responses', 'Error'),
  };
}

const headers: Readonly<Record<number, Json>> = {
  401: headerRefs(['WWW-Authenticate']),
  429: headerRefs(['Retry-After']),
  503: headerRefs(['Retry-After']),
};

export function sharedErrorResponses(): Record<string, Json> {
  const content = (...names: readonly string[]) => ({
    'application/json': { schema: anyOfSchemas(names.map((name) => ref('schemas', name))) },
  });
  const responses = [...new Set(entries.map(({ status }) => status))].map((status): [string, Json] => [
    responseName(status),
    {
      description: entries
        .filter((each) => each.status === status)
        .map(({ description }) => description)
        .join(' '),
      ...(headers[status] && { headers: headers[status] }),
      content:
        status === statuses.UNPROCESSABLE ? content('ValidationReport', 'Exception') : content('Exception'),
    },
  ]);
  return {
    ...Object.fromEntries(responses),
    Error: {
      description: 'Any other error. With `Prefer: explain`, the explanation, with any status.',
      headers: headerRefs(['Preference-Applied']),
      content: content('Exception', 'Explain'),
    },
  };
}

const path: Json = {
  type: 'array',
  items: objectSchema(
    { field_name: textSchema, is_list_item: { type: 'boolean' }, index: { type: 'integer' } },
    { optional: ['index'] },
  ),
};

export const errorSchemas: Readonly<Record<string, Json>> = {
  Exception: {
    description: 'An error (§7).',
    ...objectSchema(
      {
        'entity-type': { type: 'string', const: 'exception' },
        status: { type: 'integer' },
        message: textSchema,
        requestId: { type: 'string', description: 'The id of the request in the log of the server.' },
        stacktrace: { type: 'string', description: 'In development only.' },
        exception: ref('schemas', 'Fault'),
      },
      { optional: ['requestId', 'stacktrace', 'exception'] },
    ),
  },
  Fault: {
    description: 'In development only: the thrown error and its cause.',
    ...objectSchema(
      { className: textSchema, message: textSchema, cause: ref('schemas', 'Fault') },
      { optional: ['cause'] },
    ),
  },
  ValidationReport: {
    description: 'All constraints of the content model that are violated (§7).',
    ...objectSchema(
      {
        'entity-type': { type: 'string', const: 'validation_report' },
        status: { type: 'integer', const: 422 },
        message: { description: 'The first violation, and how many more there are.', type: 'string' },
        requestId: { type: 'string', description: 'The id of the request in the log of the server.' },
        has_error: { type: 'boolean' },
        number: { type: 'integer' },
        violations: { type: 'array', items: ref('schemas', 'Violation') },
        stacktrace: { type: 'string', description: 'In development only.' },
        exception: ref('schemas', 'Fault'),
      },
      { optional: ['stacktrace', 'exception'] },
    ),
  },
  Violation: objectSchema(
    {
      messageKey: textSchema,
      message: textSchema,
      invalid_value: {
        description:
          'The invalid value. Strings longer than 1,000 characters are truncated. Absent for a list with too many items.',
      },
      constraint: objectSchema({
        'entity-type': { type: 'string', const: 'validation_constraint' },
        name: textSchema,
        parameters: { type: 'object', additionalProperties: textSchema },
      }),
      path,
    },
    { optional: ['invalid_value'] },
  ),
};
