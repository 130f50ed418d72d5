import { AppError, Conflict, DatabaseFull, Forbidden, TimedOut, Unavailable } from '../errors.ts';

/** The codes of an error and of its causes: SQLSTATEs, Prisma error codes, and system error codes. */
function codesOf(error: unknown): string[] {
  if (typeof error !== 'object' || error === null) return [];
  const { code, originalCode, meta, cause, errors } = error as Record<string, unknown>;
  const inner = [meta, cause, (meta as Record<string, unknown> | undefined)?.driverAdapterError];
  return [
    ...[code, originalCode].filter((text) => typeof text === 'string'),
    ...inner.flatMap(codesOf),
    ...(Array.isArray(errors) ? errors.flatMap(codesOf) : []),
  ];
}

const statementTimeout = ['57014'];
/** Deadlocks, serialization failures, lock timeouts, and references to rows that another transaction has deleted. */
const conflict = ['40001', '40P01', '55P03', 'P2034', '23503', 'P2003'];
/** The SQLSTATE of the trigger that protects documents under retention or legal hold (§3). */
const retained = ['QR403'];
/** Unique constraint violations. */
const taken = ['23505', 'P2002'];
/** The SQLSTATEs disk_full and io_error. */
const full = ['53100', '58030'];
/** The server is read-only: it is a standby or is becoming one. */
const readOnly = '25006';
const unavailable = [
  'P1000',
  'P1001',
  'P1002',
  'P1008',
  'P1017',
  'P2024',
  'P2028',
  'P2037',
  '57P01',
  '57P02',
  '57P03',
  '53000',
  '53200',
  '53300',
  readOnly,
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  'ECONNREFUSED',
  'ECONNRESET',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
];

/**
 * Matches the messages of `pg` and `pg-pool` errors about a connection that broke, timed out, or did not become free in
 * time. These errors have neither a code nor a specific class, so they can be recognized only by their messages.
 */
const unavailableMessage =
  /Connection terminated|^timeout expired$|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed and is not queryable/;

/**
 * Thrown to roll a transaction back, so that some of its work can be done without a connection before the transaction
 * is retried.
 */
export class WorkOutside extends Error {
  readonly start: () => void;
  constructor(start: () => void) {
    super('The transaction is retried after the work outside of it is done.');
    this.start = start;
  }
}

/**
 * Whether an error means that the transaction must be retried: it conflicted with another one, or work outside of it
 * has to be done first. Code that catches errors inside a transaction must rethrow these.
 */
export const isTransactionConflict = (error: unknown): boolean =>
  error instanceof WorkOutside ||
  (!(error instanceof AppError) && codesOf(error).some((code) => [...conflict, ...taken].includes(code)));

/**
 * Thrown when a Prisma statement is aborted because its rows would use too much memory. `cause` is the error to report
 * to the caller.
 */
export class RowsRefused extends Error {
  override readonly cause: AppError;
  constructor(cause: AppError) {
    super(cause.message);
    this.cause = cause;
  }
}

/** Converts a database error with a known code to an `AppError`. Returns any other error unchanged. */
export function translateDatabaseError(error: unknown): unknown {
  if (error instanceof AppError) return error;
  if (error instanceof RowsRefused) return error.cause;
  const codes = codesOf(error);
  const has = (list: string[]) => codes.some((code) => list.includes(code));
  if (has(statementTimeout)) {
    return new TimedOut('The transaction took longer than allowed and was rolled back.', {
      cause: error,
    });
  }
  if (has(retained)) {
    return new Forbidden((error as Error).message, { cause: error });
  }
  if (has(conflict)) {
    return new Conflict('Another request changed the same data at the same time. Try again.', {
      cause: error,
    });
  }
  if (has(full)) {
    return new DatabaseFull(
      'The database cannot write, because its disk is full or has failed. Try again later.',
      {
        cause: error,
      },
    );
  }
  if (has(unavailable) || (error instanceof Error && unavailableMessage.test(error.message))) {
    return new Unavailable('The database is not responding. Try again soon.', { cause: error });
  }
  return error;
}

/** The SQLSTATE of a PostgreSQL error. */
export const stateOf = (error: unknown): string | undefined =>
  codesOf(error).find((code) => /^[0-9A-Z]{5}$/.test(code));

/**
 * Thrown when a replica cannot serve a read, because it lacks changes that the reader needs or because serving the read
 * requires a write.
 */
export class ReadAgain extends Error {}

/** The SQLSTATEs for unknown tables and columns, which occur while a replica has not applied a migration yet. */
const behind = ['42P01', '42703'];

/** Whether an error means that a server did not respond. A server that only rejects writes did respond. */
export const isOutOfReach = (error: unknown): boolean =>
  translateDatabaseError(error) instanceof Unavailable && !codesOf(error).includes(readOnly);

/** Whether a read that failed with this error can succeed on another server. */
export function isReplicaError(error: unknown): boolean {
  if (error instanceof AppError || error instanceof RowsRefused) return false;
  const known = translateDatabaseError(error);
  return (
    error instanceof ReadAgain ||
    known instanceof Unavailable ||
    known instanceof Conflict || // a replica cancels statements that read rows which the primary has removed
    codesOf(error).some((code) => behind.includes(code))
  );
}

function messagesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const inner = error instanceof AggregateError ? error.errors : [error.cause];
  return [error.message, ...inner.flatMap(messagesOf)].filter(Boolean);
}

/**
 * Explains why a process cannot start: returns the messages of a known error and its causes, or the stack trace of any
 * other error.
 */
export function startFailureMessage(caught: unknown): string {
  const error = translateDatabaseError(caught);
  const isKnown = error instanceof AppError || codesOf(error).length > 0;
  if (!isKnown) return error instanceof Error ? (error.stack ?? error.message) : String(error);
  const messages = messagesOf(error);
  const isNew = (message: string, at: number) =>
    !messages.slice(0, at).some((earlier) => earlier.includes(message));
  return messages.filter(isNew).join('\n');
}
