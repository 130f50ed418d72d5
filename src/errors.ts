/** Kinds of error, independent of HTTP and GraphQL; `http/errors.ts` gives each its status. */
export type ErrorCode =
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'STALE'
  | 'PRECONDITION_FAILED'
  | 'BAD_REFERENCE'
  | 'INVALID'
  | 'UNPROCESSABLE'
  | 'KEY_REUSED'
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'METHOD_NOT_ALLOWED'
  | 'NOT_ACCEPTABLE'
  | 'UNSUPPORTED_MEDIA'
  | 'TOO_LARGE'
  | 'TOO_MANY_REQUESTS'
  | 'NOT_SERVED'
  | 'NOT_INSTALLED'
  | 'INSUFFICIENT_STORAGE'
  | 'TIMED_OUT'
  | 'UNAVAILABLE';

/**
 * The maximum number of characters in a message. It is longer than any URL and shorter than the list of names
 * that a body can contain.
 */
const maxCharacters = 20_000;

/** Joins the name of a field and its fault, such as `pageSize must be an integer` or `xpath: there is no property x`. */
export const namedFault = (field: string, fault: string): string =>
  /^(must|is|has|cannot) /.test(fault) ? `${field} ${fault}` : `${field}: ${fault}`;

/** Formats a number of bytes for messages, such as `16 MB`. */
export const bytesText = (bytes: number): string =>
  bytes >= 2 ** 20 ? `${Math.floor(bytes / 2 ** 20)} MB` : `${bytes} bytes`;

/** What an error is about, in a form for programs. GraphQL sends it in `extensions`, next to the code. */
export interface ErrorSubject {
  /** The id of a document, or the path or id by which it was addressed. */
  readonly document?: string | undefined;
  /** The permission that is missing. */
  readonly permission?: string;
  /** The user who was refused. */
  readonly user?: string;
  /** The user whose lock on the document prevents changes. */
  readonly lockOwner?: string;
}

interface AppErrorOptions extends ErrorOptions {
  readonly about?: ErrorSubject;
  /** The faulty field of the input. The message begins with it. */
  readonly field?: string;
}

/**
 * An error whose message is sent to the caller. Any other error is a bug, and its message is masked. Code
 * must examine the class and the properties of an error, never its message.
 */
export abstract class AppError extends Error {
  abstract readonly code: ErrorCode;
  readonly field: string | undefined;
  /** The message without the field. */
  readonly fault: string;
  readonly about: ErrorSubject;
  constructor(fault = '', { field, about = {}, ...options }: AppErrorOptions = {}) {
    const message = field === undefined ? fault : namedFault(field, fault);
    super(message.length > maxCharacters ? `${message.slice(0, maxCharacters)}…` : message, options);
    this.field = field;
    this.fault = fault;
    this.about = about;
  }
  override get name(): string {
    return this.constructor.name;
  }
  /** graphql-js copies these into the `extensions` of the error in a response. */
  get extensions(): Record<string, unknown> {
    return { code: this.code, ...(this.field !== undefined && { field: this.field }), ...this.about };
  }
}

const errorWith = <Code extends ErrorCode>(code: Code) =>
  class CodedError extends AppError {
    readonly code = code;
  };

export class NotFound extends errorWith('NOT_FOUND') {}

/** No document has this path or id, or the caller may not know that it exists. */
export class DocumentNotFound extends NotFound {
  /** The path or id of the document. */
  readonly document: string;
  constructor(document: string) {
    const named = document.startsWith('/') ? `at ${document}` : `with the id ${document}`;
    super(`There is no document ${named}.`, { about: { document } });
    this.document = document;
  }
}

/** The resource to create exists already, or the state of a resource forbids the change. */
export class Conflict extends errorWith('CONFLICT') {}

/** The chunks of an upload changed while they were joined. Joining them again may succeed. */
export class ChunksChanged extends Conflict {}

export class Stale extends errorWith('STALE') {}

/** The stored state is not one of the states in the precondition. */
export class PreconditionFailed extends errorWith('PRECONDITION_FAILED') {}

/** The body, in contrast to the address, names something that does not exist or exists already (§7: 500). */
export class BadReference extends errorWith('BAD_REFERENCE') {}

export class Invalid extends errorWith('INVALID') {}

/** The maximum number of faults of one body that a message names. Further faults are only counted. */
export const maxNamedFaults = 100;

/** The document to convert has no file. */
export class NothingToConvert extends Invalid {}

/** Joins at most the first 100 texts and appends how many more there are. */
export const joinFew = (texts: readonly string[], separator: string, count = texts.length): string =>
  [
    ...texts.slice(0, maxNamedFaults),
    ...(count > maxNamedFaults ? [`and ${count - maxNamedFaults} more`] : []),
  ].join(separator);

/**
 * Collects the faults of a body. Every value of a body can be faulty, so only the first 100 faults get a
 * message; counting the others takes nanoseconds each, while creating errors would take microseconds.
 */
export class Faults {
  readonly #named: string[] = [];
  #count = 0;
  /** @param message called only if the fault is among the first 100. */
  add(message: () => string): void {
    this.#count += 1;
    if (this.#named.length < maxNamedFaults) this.#named.push(message());
  }
  /** @throws Invalid that names the first 100 faults and counts the others. */
  requireNone(): void {
    if (this.#count > 0) throw new Invalid(joinFew(this.#named, '; ', this.#count));
  }
}

/** The idempotency key was already used for a different request. */
export class KeyReused extends errorWith('KEY_REUSED') {}

/** No method of the authentication chain accepts the credentials. */
export class Unauthenticated extends errorWith('UNAUTHENTICATED') {}

export class Forbidden extends errorWith('FORBIDDEN') {}

export class NotAcceptable extends errorWith('NOT_ACCEPTABLE') {}

export class UnsupportedMedia extends errorWith('UNSUPPORTED_MEDIA') {}

/**
 * The body exceeds BODY_LIMIT or UPLOAD_LIMIT, or has too many JSON values or levels; or the response would
 * exceed ANSWER_LIMIT.
 */
export class TooLarge extends errorWith('TOO_LARGE') {}

/** @param entries the number of the page's entries that fit into the response; 0 if unknown. */
export function answerTooLarge(limit: number, entries: number): TooLarge {
  const advice =
    entries > 0
      ? `It would fit with pageSize=${entries}, or with fewer schemas in the header "properties".`
      : 'It may fit with fewer schemas in the header "properties", or with fewer enrichers.';
  return new TooLarge(`The answer would be longer than ${bytesText(limit)}. ${advice}`);
}

/**
 * §4.7: the upload batches of a user, including refused uploads of the last day, would exceed UPLOAD_QUOTA.
 */
export class QuotaExceeded extends TooLarge {
  constructor(quota: number) {
    super(
      `The uploads of a user must not exceed ${quota} bytes (UPLOAD_QUOTA), including files that were refused within the last day. Use or delete some uploads, then try again.`,
    );
  }
}

/** A feature of the reference implementation that this server deliberately does not implement. */
export class NotServed extends errorWith('NOT_SERVED') {}

/** A program that the call needs is not installed on the server. */
export class NotInstalled extends errorWith('NOT_INSTALLED') {}

/** The transaction took longer than its timeout and was rolled back. */
export class TimedOut extends errorWith('TIMED_OUT') {}

/** The `Retry-After` header of every 503, in seconds. */
export const retryAfter = 5;

/** The database is unreachable or overloaded. A retry may succeed soon. */
export class Unavailable extends errorWith('UNAVAILABLE') {}

/** The disk of the database is full or fails. */
export class DatabaseFull extends Unavailable {}

/** The disk of the blob store is full. */
export class InsufficientStorage extends errorWith('INSUFFICIENT_STORAGE') {}

/** The blob store does not respond or denies access, or its folder cannot be read or written. */
export class BlobStoreAway extends Unavailable {}

/** Whether an error is logged for operators in addition to being sent to the caller. */
export const concernsOperators = (error: unknown): error is AppError =>
  error instanceof DatabaseFull || error instanceof InsufficientStorage || error instanceof BlobStoreAway;

export interface Violation {
  constraint: string;
  parameters: Record<string, string>;
  message: string;
  invalidValue: unknown;
  /** The path from the property to the faulty part. */
  path: Array<{ field: string; index?: number }>;
}

const violationText = ({ path, message }: Violation): string =>
  `${path.map(({ field }) => field).join('/')}: ${message}`;

export class Unprocessable extends errorWith('UNPROCESSABLE') {
  /** At most the first 100 violations. */
  readonly violations: readonly Violation[];
  /** The number of all violations. */
  readonly count: number;
  constructor(violations: readonly Violation[], count = violations.length) {
    super(joinFew(violations.map(violationText), '; ', count));
    this.violations = violations;
    this.count = count;
  }
  /** The field and fault of the first violation, and the number of further ones. */
  get summary(): string {
    const more = this.count > 1 ? ` (and ${this.count - 1} more)` : '';
    return this.violations.slice(0, 1).map(violationText).join('') + more;
  }
  override get extensions(): Record<string, unknown> {
    return { ...super.extensions, violations: this.violations, violationCount: this.count };
  }
}

export class MethodNotAllowed extends errorWith('METHOD_NOT_ALLOWED') {
  readonly allowed: readonly string[];
  /** @param where describes the address and what its methods do. */
  constructor(
    method: string,
    allowed: readonly string[],
    { at = 'here', calls = allowed }: { readonly at?: string; readonly calls?: readonly string[] } = {},
  ) {
    super(`${method} is not supported ${at}. The supported methods are ${calls.join(', ')}.`);
    this.allowed = allowed;
  }
}

/** Too many recent attempts. The caller may try again after `retryAfter` seconds. */
export class TooManyRequests extends errorWith('TOO_MANY_REQUESTS') {
  readonly retryAfter: number;
  constructor(message: string, retryAfter: number) {
    super(message);
    this.retryAfter = retryAfter;
  }
}

export interface StoredError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly violations?: readonly Violation[];
  readonly violationCount?: number;
}

export const toStoredError = (error: AppError): StoredError => ({
  code: error.code,
  message: error.message,
  ...(error instanceof Unprocessable && { violations: error.violations, violationCount: error.count }),
});

/** Recreates a stored error with its code, message and violations. Its class can differ from the original. */
export const fromStoredError = ({ code, message, violations, violationCount }: StoredError): AppError =>
  violations ? new Unprocessable(violations, violationCount) : new (errorWith(code))(message);
