/** What can be wrong, in words that neither HTTP nor GraphQL decide; `rest/errors.ts` gives each its status. */
export type ErrorCode =
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'STALE'
  | 'PRECONDITION_FAILED'
  | 'BAD_REFERENCE'
  | 'INVALID'
  | 'RANGE_NOT_SATISFIABLE'
  | 'UNPROCESSABLE'
  | 'KEY_REUSED'
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'METHOD_NOT_ALLOWED'
  | 'NOT_ACCEPTABLE'
  | 'UNSUPPORTED_MEDIA'
  | 'TOO_LARGE'
  | 'TOO_MANY_REQUESTS'
  | 'TIMED_OUT'
  | 'UNAVAILABLE';

/** An error that is the caller's business: its message is shown. Every other error is a bug and is masked. */
export abstract class AppError extends Error {
  abstract readonly code: ErrorCode;
  override get name(): string {
    return this.constructor.name;
  }
  /** Codes in the words of GraphQL clients, picked up by graphql-js. */
  get extensions(): Record<string, unknown> {
    return { code: this.code };
  }
}

/** What is kept of an error, for whoever asks for the answer later. */
export interface KeptError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly violations?: readonly Violation[];
}

/** The addressed thing does not exist. */
export class NotFound extends AppError {
  readonly code = 'NOT_FOUND';
}

/** What is to be created, or the state it is to be brought into, is already taken. */
export class Conflict extends AppError {
  readonly code = 'CONFLICT';
}

/** What was joined is not what there is any more: it is to be joined anew. */
export class NotJoined extends Conflict {}

/** The change token in the body is out of date. */
export class Stale extends AppError {
  readonly code = 'STALE';
}

/** `If-Match` names another state than the stored one. */
export class PreconditionFailed extends AppError {
  readonly code = 'PRECONDITION_FAILED';
}

/** The body, not the address, names something that is missing or already there (§7: 500). */
export class BadReference extends AppError {
  readonly code = 'BAD_REFERENCE';
}

/** A header, a parameter or the body cannot be understood. */
export class Invalid extends AppError {
  readonly code = 'INVALID';
}

/** The range of bytes that is asked for lies outside. */
export class RangeNotSatisfiable extends AppError {
  readonly code = 'RANGE_NOT_SATISFIABLE';
}

/** One broken constraint of the content model. */
export interface Violation {
  /** The constraint's name, `LengthConstraint` say. */
  constraint: string;
  parameters: Record<string, string>;
  message: string;
  /** The value as it was sent. */
  invalidValue: unknown;
  /** From the property down to the part at fault. */
  path: Array<{ field: string; index?: number }>;
}

/** Values are well-formed but break constraints of the content model. */
export class Unprocessable extends AppError {
  readonly code = 'UNPROCESSABLE';
  readonly violations: readonly Violation[];
  constructor(violations: readonly Violation[]) {
    super(
      violations
        .map(({ path, message }) => `${path.map(({ field }) => field).join('/')}: ${message}`)
        .join('; '),
    );
    this.violations = violations;
  }
  override get extensions(): Record<string, unknown> {
    return { code: this.code, violations: this.violations };
  }
}

/** The `Idempotency-Key` was sent with another request before. */
export class KeyReused extends AppError {
  readonly code = 'KEY_REUSED';
}

/** No method of the authentication chain accepts the caller. */
export class Unauthenticated extends AppError {
  readonly code = 'UNAUTHENTICATED';
}

/** A known user without the right. */
export class Forbidden extends AppError {
  readonly code = 'FORBIDDEN';
}

/** The address is known, but not with this verb. */
export class MethodNotAllowed extends AppError {
  readonly code = 'METHOD_NOT_ALLOWED';
  readonly allowed: readonly string[];
  constructor(method: string, allowed: readonly string[]) {
    super(`${method} is not possible here: ${allowed.join(', ')}`);
    this.allowed = allowed;
  }
}

/** The caller accepts nothing that is served here. */
export class NotAcceptable extends AppError {
  readonly code = 'NOT_ACCEPTABLE';
}

/** The body is of a content type that the address does not take. */
export class UnsupportedMedia extends AppError {
  readonly code = 'UNSUPPORTED_MEDIA';
}

/** The body is larger than BODY_LIMIT, or with blobs than UPLOAD_LIMIT. */
export class TooLarge extends AppError {
  readonly code = 'TOO_LARGE';
}

/** Too many failed logins of late; worth another try after `retryAfter` seconds. */
export class TooManyRequests extends AppError {
  readonly code = 'TOO_MANY_REQUESTS';
  readonly retryAfter: number;
  constructor(message: string, retryAfter: number) {
    super(message);
    this.retryAfter = retryAfter;
  }
}

/** The transaction took longer than it was given, and was rolled back. */
export class TimedOut extends AppError {
  readonly code = 'TIMED_OUT';
}

/** The database cannot be reached, or is not free to answer: worth another try soon. */
export class Unavailable extends AppError {
  readonly code = 'UNAVAILABLE';
}

/** An error that is told again. */
class Again extends AppError {
  readonly code: ErrorCode;
  constructor({ code, message }: KeptError) {
    super(message);
    this.code = code;
  }
}

/** What is kept of an error that is the caller's business. */
export const toKept = (error: AppError): KeptError => ({
  ...{ code: error.code, message: error.message },
  ...(error instanceof Unprocessable && { violations: error.violations }),
});

/** The same error, as far as the caller sees it. */
export const fromKept = (kept: KeptError): AppError =>
  kept.violations ? new Unprocessable(kept.violations) : new Again(kept);
