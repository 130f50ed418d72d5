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

/** Characters of a message: more than an address has, fewer than the names that a body may list. */
const longestMessage = 20_000;

/** A number of bytes as messages name it, such as `16 MB`. */
export const bytesText = (bytes: number): string =>
  bytes >= 2 ** 20 ? `${Math.floor(bytes / 2 ** 20)} MB` : `${bytes} bytes`;

/** What an error is about, for programs: GraphQL has it in `extensions`, next to the code. */
export interface ErrorSubject {
  /** The id of a document, or the path or id by which it was addressed. */
  readonly document?: string | undefined;
  /** The permission that is missing. */
  readonly permission?: string;
  /** The user who was refused. */
  readonly user?: string;
  /** The user whose lock on the document excludes others. */
  readonly lockOwner?: string;
}

interface AppErrorOptions extends ErrorOptions {
  readonly about?: ErrorSubject;
  /** The field of the input that is at fault; the message begins with it. */
  readonly field?: string;
}

/**
 * An error whose message the caller sees. Every other error is a bug and is masked. Code decides by the class of
 * an error and by its properties, never by its message.
 */
export abstract class AppError extends Error {
  abstract readonly code: ErrorCode;
  readonly field: string | undefined;
  /** The message without the field. */
  readonly fault: string;
  readonly about: ErrorSubject;
  constructor(fault = '', { field, about = {}, ...options }: AppErrorOptions = {}) {
    const message = field === undefined ? fault : `${field}: ${fault}`;
    super(message.length > longestMessage ? `${message.slice(0, longestMessage)}…` : message, options);
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

/** There is no document of a path or id, or the caller cannot see that there is one. */
export class DocumentNotFound extends NotFound {
  /** The path or id. */
  readonly document: string;
  constructor(document: string) {
    const named = document.startsWith('/') ? `at ${document}` : `with the id ${document}`;
    super(`There is no document ${named}.`, { about: { document } });
    this.document = document;
  }
}

/** The thing to create exists already, or its state forbids the change. */
export class Conflict extends errorWith('CONFLICT') {}

/** The chunks of an upload changed while they were being joined; joining them again may succeed. */
export class ChunksChanged extends Conflict {}

export class Stale extends errorWith('STALE') {}

/** The stored state is none of those that the caller named. */
export class PreconditionFailed extends errorWith('PRECONDITION_FAILED') {}

/** The body, not the address, names something that is missing or already there (§7: 500). */
export class BadReference extends errorWith('BAD_REFERENCE') {}

export class Invalid extends errorWith('INVALID') {}

/** Faults of one body that an answer names; further ones are only counted. */
export const maxNamedFaults = 100;

/** The document to convert has no file. */
export class NothingToConvert extends Invalid {}

/** Joins the first 100 of several texts, and says how many more there are. */
export const joinFew = (texts: readonly string[], separator: string, count = texts.length): string =>
  [
    ...texts.slice(0, maxNamedFaults),
    ...(count > maxNamedFaults ? [`and ${count - maxNamedFaults} more`] : []),
  ].join(separator);

/**
 * The faults of one body. A body can have a fault in each of its values, so only the first 100 get a message:
 * counting the others takes nanoseconds, and throwing an error for each would take microseconds.
 */
export class Faults {
  readonly #named: string[] = [];
  #count = 0;
  /** @param message is called only for a fault that is named. */
  add(message: () => string): void {
    this.#count += 1;
    if (this.#named.length < maxNamedFaults) this.#named.push(message());
  }
  /** @throws Invalid that names the first 100 faults and counts the others. */
  requireNone(): void {
    if (this.#count > 0) throw new Invalid(joinFew(this.#named, '; ', this.#count));
  }
}

/** The idempotency key was used for another request before. */
export class KeyReused extends errorWith('KEY_REUSED') {}

/** No method of the authentication chain accepts the caller. */
export class Unauthenticated extends errorWith('UNAUTHENTICATED') {}

export class Forbidden extends errorWith('FORBIDDEN') {}

export class NotAcceptable extends errorWith('NOT_ACCEPTABLE') {}

export class UnsupportedMedia extends errorWith('UNSUPPORTED_MEDIA') {}

/**
 * The body has more bytes than BODY_LIMIT or UPLOAD_LIMIT, or more JSON values or levels than are accepted; or
 * the answer would be longer than ANSWER_LIMIT.
 */
export class TooLarge extends errorWith('TOO_LARGE') {}

/** @param entries how many entries of the page fit into the answer; 0 where that is not known. */
export function answerTooLarge(limit: number, entries: number): TooLarge {
  const advice =
    entries > 0
      ? `It would fit with pageSize=${entries}, or with fewer schemas in the header "properties".`
      : 'It may fit with fewer schemas in the header "properties", or with fewer enrichers.';
  return new TooLarge(`The answer would be longer than ${bytesText(limit)}. ${advice}`);
}

/** §4.7: the upload batches of one user, and what was refused, would be larger than UPLOAD_QUOTA. */
export class QuotaExceeded extends TooLarge {
  constructor(quota: number) {
    super(
      `the uploads of a user may have ${quota} bytes together, UPLOAD_QUOTA, with files that were refused in the last day: use or delete some uploads before you send this`,
    );
  }
}

/** The reference implementation has it, and this server never will. */
export class NotServed extends errorWith('NOT_SERVED') {}

/** A program that this needs is not installed beside the server. */
export class NotInstalled extends errorWith('NOT_INSTALLED') {}

/** The transaction took longer than its timeout and was rolled back. */
export class TimedOut extends errorWith('TIMED_OUT') {}

/** `Retry-After` of every 503, in seconds. */
export const retryAfter = 5;

/** The database is unreachable or busy; a retry may succeed soon. */
export class Unavailable extends errorWith('UNAVAILABLE') {}

/** The disk of the database is full, or fails. */
export class DatabaseFull extends Unavailable {}

/** The disk of the blobs is full. */
export class InsufficientStorage extends errorWith('INSUFFICIENT_STORAGE') {}

/** The store of the blobs does not answer, refuses the server, or is a folder that cannot be read or written. */
export class BlobStoreAway extends Unavailable {}

/** Whether operators are to know of it, although the caller does. */
export const concernsOperators = (error: unknown): error is AppError =>
  error instanceof DatabaseFull || error instanceof InsufficientStorage || error instanceof BlobStoreAway;

export interface Violation {
  constraint: string;
  parameters: Record<string, string>;
  message: string;
  invalidValue: unknown;
  /** From the property down to the faulty part. */
  path: Array<{ field: string; index?: number }>;
}

const violationText = ({ path, message }: Violation): string =>
  `${path.map(({ field }) => field).join('/')}: ${message}`;

export class Unprocessable extends errorWith('UNPROCESSABLE') {
  /** The first 100 at most. */
  readonly violations: readonly Violation[];
  /** How many there are. */
  readonly count: number;
  constructor(violations: readonly Violation[], count = violations.length) {
    super(joinFew(violations.map(violationText), '; ', count));
    this.violations = violations;
    this.count = count;
  }
  /** The field and the fault of the first violation, and how many more there are. */
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
  /** @param where names the address, and what its methods do. */
  constructor(
    method: string,
    allowed: readonly string[],
    { at = 'here', calls = allowed }: { readonly at?: string; readonly calls?: readonly string[] } = {},
  ) {
    super(`${method} is not possible ${at}. Possible: ${calls.join(', ')}.`);
    this.allowed = allowed;
  }
}

/** Too many recent attempts; the caller may retry after `retryAfter` seconds. */
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

/** An error with the code, the message and the violations of the stored one; its class may differ. */
export const fromStoredError = ({ code, message, violations, violationCount }: StoredError): AppError =>
  violations ? new Unprocessable(violations, violationCount) : new (errorWith(code))(message);
