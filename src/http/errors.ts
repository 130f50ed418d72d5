import type { ErrorRequestHandler, Request, Response } from 'express';
import type { Logger } from 'pino';
import { translateDatabaseError } from '../db/errors.ts';
import {
  AppError,
  BlobStoreAway,
  concernsOperators,
  type ErrorCode,
  Invalid,
  MethodNotAllowed,
  ProviderAway,
  retryAfter,
  TooLarge,
  TooManyRequests,
  Unprocessable,
  UnsupportedMedia,
  type Violation,
} from '../errors.ts';
import { ExtensionError } from '../extensions/guarded.ts';
import { logCount } from '../log.ts';
import { requestStateOf } from './request-state.ts';

/** The HTTP status of each kind of error (§7). */
export const statuses: Readonly<Record<ErrorCode, number>> = {
  INVALID: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  NOT_ACCEPTABLE: 406,
  CONFLICT: 409,
  STALE: 409,
  PRECONDITION_FAILED: 412,
  TOO_LARGE: 413,
  UNSUPPORTED_MEDIA: 415,
  UNPROCESSABLE: 422,
  KEY_REUSED: 422,
  TOO_MANY_REQUESTS: 429,
  BAD_REFERENCE: 500,
  NOT_SERVED: 501,
  NOT_INSTALLED: 501,
  TIMED_OUT: 503,
  UNAVAILABLE: 503,
  INSUFFICIENT_STORAGE: 507,
};

/** Returns the HTTP status of an error code; 500 for unknown codes, which come from unexpected errors. */
export const statusOf = (code: string): number =>
  (statuses as Readonly<Partial<Record<string, number>>>)[code] ?? 500;

/**
 * Converts errors from Express, its parsers and the database to an `AppError`. Returns any other error unchanged.
 */
export function asAppError(error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  const { status, type, message, limit } = error as Error & Record<'status' | 'type' | 'limit', unknown>;
  if (error instanceof URIError)
    return new Invalid('The address is not percent-encoded correctly.', { cause: error });
  if (type === 'entity.parse.failed')
    return new Invalid(`The body is not valid JSON: ${message}`, { cause: error });
  if (type === 'parameters.too.many')
    return new TooLarge('The body has too many parameters.', { cause: error });
  if (status === 413) return new TooLarge(`The body is larger than ${limit} bytes.`, { cause: error });
  if (status === 415) return new UnsupportedMedia(message, { cause: error });
  if (typeof status === 'number' && status >= 400 && status < 500)
    return new Invalid(message, { cause: error });
  return translateDatabaseError(error);
}

const violation = ({ constraint, parameters, message, invalidValue, path }: Violation) => ({
  messageKey: `label.schema.constraint.violation.${constraint}`,
  message,
  invalid_value: invalidValue,
  constraint: { 'entity-type': 'validation_constraint', name: constraint, parameters },
  path: path.map(({ field, index }) => ({
    field_name: field,
    is_list_item: index !== undefined,
    ...(index !== undefined && { index }),
  })),
});

const validationReport = ({ violations, count, summary }: Unprocessable, requestId: unknown) => ({
  'entity-type': 'validation_report',
  status: statuses.UNPROCESSABLE,
  message: summary,
  requestId,
  has_error: true,
  number: count,
  violations: violations.map(violation),
});

export const challenge = 'Basic realm="Quire", charset="UTF-8"';

/**
 * Headers that suppress the authentication challenge (§5). Pages with their own sign-in form send at least one of these
 * headers; a challenge would make the browser show its own password dialog.
 */
const unchallenged = ['x-no-basic-header', 'x-requested-with', 'x-authentication-token', 'cookie'];

const wantsChallenge = ({ headers }: Request, response: Response): boolean =>
  unchallenged.every((name) => headers[name] === undefined) && !requestStateOf(response)?.refusesBasic;

function setHeaders(error: AppError, request: Request, response: Response): void {
  const status = statuses[error.code];
  const isChallenged = response.hasHeader('WWW-Authenticate');
  if (status === 401 && !isChallenged && wantsChallenge(request, response))
    response.set('WWW-Authenticate', challenge);
  if (status === 503) response.set('Retry-After', String(retryAfter));
  if (error instanceof TooManyRequests) response.set('Retry-After', String(error.retryAfter));
  if (error instanceof MethodNotAllowed) response.set('Allow', error.allowed.join(', '));
}

/**
 * Returns the media type of a JSON response. It includes the entity type, because existing clients use it to choose a
 * parser.
 */
export const jsonType = (entityType: unknown): string =>
  `application/json; charset=utf-8${typeof entityType === 'string' ? `; nuxeo-entity=${entityType}` : ''}`;

export const exceptionOf = (status: number, message: string, requestId: unknown) => ({
  'entity-type': 'exception',
  status,
  message,
  requestId,
});

interface Fault {
  readonly className: string;
  readonly message: string;
  readonly cause?: Fault;
}

const deepestCause = 10;

const faultOf = (error: Error, depth: number): Fault => ({
  className: error.constructor.name,
  message: error.message,
  ...(error.cause instanceof Error && depth > 0 && { cause: faultOf(error.cause, depth - 1) }),
});

/**
 * Creates a function that logs unexpected errors with their stack traces. Errors caused by a full disk or an
 * unreachable blob store can occur in every request, so only their counts are logged. An `ExtensionError` has been
 * logged where it was thrown, with the name of the extension.
 */
export function reportErrors(log: Logger): ErrorSettings['report'] {
  const logFull = logCount(log, 'Requests failed because a disk is full.');
  const logAway = logCount(log, 'Requests failed because the blob store is unavailable.');
  const logProvider = logCount(log, 'Requests failed because an identity provider is unavailable.');
  return (error, response) => {
    if (error instanceof BlobStoreAway) logAway(String(error.cause));
    else if (error instanceof ProviderAway) logProvider(`${error.message} ${error.cause}`);
    else if (concernsOperators(error)) logFull(error.message);
    else if (!(error instanceof ExtensionError))
      log.error({ err: error, requestId: response?.getHeader('X-Request-Id') }, 'unexpected error');
  };
}

const send = (response: Response, status: number, entity: { readonly 'entity-type': string }): Response =>
  response.status(status).set('Content-Type', jsonType(entity['entity-type'])).json(entity);

export interface ErrorSettings {
  readonly isDevelopment: boolean;
  readonly report: (error: unknown, response?: Response) => void;
}

/**
 * Sends all errors except those from admission control (§7). An error that is not an `AppError` is logged, and the
 * client receives only "Internal Server Error".
 */
export const errorHandler =
  ({ isDevelopment, report }: ErrorSettings) =>
  (form: 'entity' | 'graphql'): ErrorRequestHandler =>
  (raw, request, response, next) => {
    const error = asAppError(raw);
    if (!(error instanceof AppError) || concernsOperators(error)) report(error, response);
    if (response.headersSent) return next(error); // This makes Express close the connection.
    for (const name of ['ETag', 'Content-Disposition', 'Content-Length', 'Warning'])
      response.removeHeader(name);
    response.set('Cache-Control', 'no-store');
    const fault =
      isDevelopment && error instanceof Error
        ? { stacktrace: error.stack, exception: faultOf(error, deepestCause) }
        : {};
    if (error instanceof AppError) setHeaders(error, request, response);
    const status = error instanceof AppError ? statuses[error.code] : 500;
    const message = error instanceof AppError ? error.message : 'Internal Server Error';
    if (form === 'graphql') {
      const extensions = error instanceof AppError ? error.extensions : { code: 'INTERNAL_SERVER_ERROR' };
      return response.status(status).json({ errors: [{ message, extensions: { ...extensions, ...fault } }] });
    }
    const requestId = response.getHeader('X-Request-Id');
    if (error instanceof Unprocessable)
      return send(response.vary('Accept-Language'), 422, { ...validationReport(error, requestId), ...fault });
    return send(response, status, { ...exceptionOf(status, message, requestId), ...fault });
  };
