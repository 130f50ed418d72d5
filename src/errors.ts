/**
 * The kinds of errors, independent of HTTP and GraphQL. `http/errors.ts` maps each kind to an HTTP status.
 */
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
 * The maximum number of characters in a message, or in a value that accompanies it. This is enough for any URL, but not
 * for a list of every name in a request body.
 */
const maxCharacters = 20_000;

const cut = (text: string): string =>
  text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text;

/**
 * Joins the name of a field and the description of its fault, for example `pageSize must be an integer` or `xpath:
 * there is no property x`.
 */
export const namedFault = (field: string, fault: string): string =>
  /^(must|is|has|cannot) /.test(fault) ? `${field} ${fault}` : `${field}: ${fault}`;

/** Formats a number of bytes for a message, for example as `16 MB`. */
export const bytesText = (bytes: number): string =>
  bytes >= 2 ** 20 ? `${Math.floor(bytes / 2 ** 20)} MB` : `${bytes} bytes`;

/**
 * Describes what an error is about in a machine-readable form. GraphQL sends it in `extensions`, together with the
 * code.
 */
export interface ErrorSubject {
  /** The id of a document, or the path or id that the request contained. */
  readonly document?: string | undefined;
  /** The permission that is missing. */
  readonly permission?: string;
  /** The user whose request failed. */
  readonly user?: string;
  /** The user who holds the lock on the document. */
  readonly lockOwner?: string;
}

interface AppErrorOptions extends ErrorOptions {
  readonly about?: ErrorSubject;
  /** The name of the invalid input field. The message begins with this name. */
  readonly field?: string;
}

/**
 * An error whose message is sent to the caller. Any other error is a bug, and its message is hidden from callers. Code
 * must check the class or properties of an error, never its message.
 */
export abstract class AppError extends Error {
  abstract readonly code: ErrorCode;
  readonly field: string | undefined;
  /** The message without the name of the field. */
  readonly fault: string;
  readonly about: ErrorSubject;
  constructor(fault = '', { field, about = {}, ...options }: AppErrorOptions = {}) {
    const message = field === undefined ? fault : namedFault(field, fault);
    super(cut(message), options);
    this.field = field;
    this.fault = fault;
    this.about = about;
  }
  override get name(): string {
    return this.constructor.name;
  }
  /** graphql-js copies these values to the `extensions` of the error in the response. */
  get extensions(): Record<string, unknown> {
    const about = Object.entries(this.about).map(([name, value]) => [name, value && cut(value)]);
    return {
      code: this.code,
      ...(this.field !== undefined && { field: cut(this.field) }),
      ...Object.fromEntries(about),
    };
  }
}

const errorWith = <Code extends ErrorCode>(code: Code) =>
  class CodedError extends AppError {
    readonly code = code;
  };

export class NotFound extends errorWith('NOT_FOUND') {}

/** There is no document with this path or id, or the caller is not allowed to know that it exists. */
export class DocumentNotFound extends NotFound {
  /** The path or id with which the caller requested the document. */
  readonly document: string;
  constructor(document: string) {
    const shown = cut(document); // Otherwise, an entire long path would be copied into the message before it is cut.
    const named = document.startsWith('/') ? `at ${shown}` : `with the id ${shown}`;
    super(`There is no document ${named}.`, { about: { document: shown } });
    this.document = document;
  }
}

/** A resource to be created already exists, or the state of a resource does not allow the change. */
export class Conflict extends errorWith('CONFLICT') {}

/** The chunks of an upload changed while they were being joined. Retrying the request may succeed. */
export class ChunksChanged extends Conflict {}

export class Stale extends errorWith('STALE') {}

/** The current state does not match the precondition of the request. */
export class PreconditionFailed extends errorWith('PRECONDITION_FAILED') {}

/**
 * The request body refers to something that does not exist, or asks to create something that already exists. The
 * contract requires status 500 (§7).
 */
export class BadReference extends errorWith('BAD_REFERENCE') {}

export class Invalid extends errorWith('INVALID') {}

/** The maximum number of faults that a message lists. Any further faults are only counted. */
export const maxNamedFaults = 100;

/** The document has no file to convert. */
export class NothingToConvert extends Invalid {}

/** Joins the first 100 texts and appends the number of the remaining ones. */
export const joinFew = (texts: readonly string[], separator: string, count = texts.length): string =>
  [
    ...texts.slice(0, maxNamedFaults),
    ...(count > maxNamedFaults ? [`and ${count - maxNamedFaults} more`] : []),
  ].join(separator);

/**
 * Collects the faults in a body. Every value in a body can be invalid, so only the first 100 faults get a message:
 * counting a fault takes nanoseconds, but creating an error takes microseconds.
 */
export class Faults {
  readonly #named: string[] = [];
  #count = 0;
  /** @param message called only if the fault is one of the first 100 */
  add(message: () => string): void {
    this.#count += 1;
    if (this.#named.length < maxNamedFaults) this.#named.push(message());
  }
  /**
   * @throws Invalid if there are faults. The message lists the first 100 and states the number of further faults.
   */
  requireNone(): void {
    if (this.#count > 0) throw new Invalid(joinFew(this.#named, '; ', this.#count));
  }
}

/** The idempotency key has already been used with a different request. */
export class KeyReused extends errorWith('KEY_REUSED') {}

/** No authentication method accepts the credentials. */
export class Unauthenticated extends errorWith('UNAUTHENTICATED') {}

export class Forbidden extends errorWith('FORBIDDEN') {}

export class NotAcceptable extends errorWith('NOT_ACCEPTABLE') {}

export class UnsupportedMedia extends errorWith('UNSUPPORTED_MEDIA') {}

/**
 * The body is larger than BODY_LIMIT or UPLOAD_LIMIT, or has too many JSON values or nesting levels, or the response
 * would be larger than ANSWER_LIMIT.
 */
export class TooLarge extends errorWith('TOO_LARGE') {}

/** @param entries the number of entries of the page that would have fit into the response; 0 if unknown */
export function answerTooLarge(limit: number, entries: number): TooLarge {
  const advice =
    entries > 0
      ? `It would fit with pageSize=${entries}, or with fewer schemas in the header "properties".`
      : 'It may fit with fewer schemas in the header "properties", or with fewer enrichers.';
  return new TooLarge(`The response would be larger than ${bytesText(limit)}. ${advice}`);
}

/**
 * The total size of a user's upload batches would exceed UPLOAD_QUOTA (§4.7). Uploads that were rejected within the
 * last day also count.
 */
export class QuotaExceeded extends TooLarge {
  constructor(quota: number) {
    super(
      `A user's uploads must not exceed ${quota} bytes (UPLOAD_QUOTA), including files that were rejected within the last day. Use or delete some uploads, then try again.`,
    );
  }
}

/** A feature of the reference implementation that this server deliberately does not support. */
export class NotServed extends errorWith('NOT_SERVED') {}

/** A program that the request needs is not installed on the server. */
export class NotInstalled extends errorWith('NOT_INSTALLED') {}

/** The transaction exceeded its timeout and was rolled back. */
export class TimedOut extends errorWith('TIMED_OUT') {}

/** The value, in seconds, of the `Retry-After` header that every 503 response has. */
export const retryAfter = 5;

/** The database is unreachable or overloaded. The request may succeed if it is retried soon. */
export class Unavailable extends errorWith('UNAVAILABLE') {}

/** The database's disk is full or failing. */
export class DatabaseFull extends Unavailable {}

/** The blob store's disk is full. */
export class InsufficientStorage extends errorWith('INSUFFICIENT_STORAGE') {}

/** The blob store is not responding or denies access, or its folder cannot be read or written. */
export class BlobStoreAway extends Unavailable {}

/** An identity provider is not responding, or its response cannot be used. */
export class ProviderAway extends Unavailable {}

/** Returns whether to log an error for operators in addition to sending it to the caller. */
export const concernsOperators = (error: unknown): error is AppError =>
  [DatabaseFull, InsufficientStorage, BlobStoreAway, ProviderAway].some((kind) => error instanceof kind);

export interface Violation {
  constraint: string;
  parameters: Record<string, string>;
  message: string;
  invalidValue: unknown;
  /** The path within the property to the value that violates the constraint. */
  path: Array<{ field: string; index?: number }>;
}

const violationText = ({ path, message }: Violation): string =>
  `${path.map(({ field }) => field).join('/')}: ${message}`;

export class Unprocessable extends errorWith('UNPROCESSABLE') {
  /** The first violations, at most 100. */
  readonly violations: readonly Violation[];
  /** The total number of violations. */
  readonly count: number;
  constructor(violations: readonly Violation[], count = violations.length) {
    super(joinFew(violations.map(violationText), '; ', count));
    this.violations = violations;
    this.count = count;
  }
  /** The field and fault of the first violation, and the number of further violations. */
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
  /** @param where how the message names the address, and the methods that it lists as supported */
  constructor(
    method: string,
    allowed: readonly string[],
    { at = 'here', calls = allowed }: { readonly at?: string; readonly calls?: readonly string[] } = {},
  ) {
    super(`${method} is not supported ${at}. The supported methods are ${calls.join(', ')}.`);
    this.allowed = allowed;
  }
}

/** The caller has made too many attempts and can try again after `retryAfter` seconds. */
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

/**
 * Recreates an error from its stored code, message and violations. Its class can differ from the original class.
 */
export const fromStoredError = ({ code, message, violations, violationCount }: StoredError): AppError =>
  violations ? new Unprocessable(violations, violationCount) : new (errorWith(code))(message);
