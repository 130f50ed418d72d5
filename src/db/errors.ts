import { AppError, Conflict, DatabaseFull, Forbidden, TimedOut, Unavailable } from '../errors.ts';

/** The codes an error carries, its own and those of its causes: PostgreSQL's, Prisma's, the system's. */
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
/** Another transaction had the locks of this one, or deleted what it refers to. */
const conflict = ['40001', '40P01', '55P03', 'P2034', '23503', 'P2003'];
/** Of our trigger: what is under retention or legal hold stays as it is (§3). */
const retained = ['QR403'];
const taken = ['23505', 'P2002'];
/** disk_full and io_error. */
const full = ['53100', '58030'];
/** The server takes no writes: it is a standby, or is made one. */
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
 * Errors that `pg` and `pg-pool` make themselves: a connection broke, timed out, or none became free in time. They are
 * plain errors without a code or a class, so that only their messages tell them apart.
 */
const unavailableMessage =
  /Connection terminated|^timeout expired$|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed and is not queryable/;

/** Ends a transaction, so that work of it can be done without a connection; then the transaction is run again. */
export class WorkOutside extends Error {
  readonly start: () => void;
  constructor(start: () => void) {
    super('the transaction is run again when the work outside of it is done');
    this.start = start;
  }
}

/**
 * Whether a transaction is to be run again: another one stood in its way, or work outside of it has to be done
 * first. Code that catches errors within a transaction throws these again.
 */
export const isTransactionConflict = (error: unknown): boolean =>
  error instanceof WorkOutside ||
  (!(error instanceof AppError) && codesOf(error).some((code) => [...conflict, ...taken].includes(code)));

/** The `AppError` for an error of the database whose code is known; any other error as it is. */
export function translateDatabaseError(error: unknown): unknown {
  if (error instanceof AppError) return error;
  const codes = codesOf(error);
  const has = (list: string[]) => codes.some((code) => list.includes(code));
  if (has(statementTimeout)) {
    return new TimedOut('the transaction took longer than it was given and was rolled back', {
      cause: error,
    });
  }
  if (has(retained)) {
    return new Forbidden((error as Error).message, { cause: error });
  }
  if (has(conflict)) {
    return new Conflict('another request changed the same data at the same time; try again', {
      cause: error,
    });
  }
  if (has(full)) {
    return new DatabaseFull('the database cannot write, its disk is full or fails; try again later', {
      cause: error,
    });
  }
  if (has(unavailable) || (error instanceof Error && unavailableMessage.test(error.message))) {
    return new Unavailable('the database cannot answer now; try again soon', { cause: error });
  }
  return error;
}

/** The SQLSTATE of an error of PostgreSQL. */
export const stateOf = (error: unknown): string | undefined =>
  codesOf(error).find((code) => /^[0-9A-Z]{5}$/.test(code));

/** What a replica cannot answer: it lacks changes that the reader needs, or would have to write. */
export class ReadAgain extends Error {}

/** A table or column of a migration that has not arrived. */
const behind = ['42P01', '42703'];

/** Whether a server did not answer; one that only refuses to write has. */
export const isOutOfReach = (error: unknown): boolean =>
  translateDatabaseError(error) instanceof Unavailable && !codesOf(error).includes(readOnly);

/** Whether a read may succeed on another server. */
export function isReplicaError(error: unknown): boolean {
  if (error instanceof AppError) return false;
  const known = translateDatabaseError(error);
  return (
    error instanceof ReadAgain ||
    known instanceof Unavailable ||
    known instanceof Conflict || // what the primary has deleted is taken away from a statement that reads it
    codesOf(error).some((code) => behind.includes(code))
  );
}

function messagesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const inner = error instanceof AggregateError ? error.errors : [error.cause];
  return [error.message, ...inner.flatMap(messagesOf)].filter(Boolean);
}

/** Why a process cannot start: the messages of a known error and its causes, the stack of any other. */
export function startFailureMessage(caught: unknown): string {
  const error = translateDatabaseError(caught);
  const isKnown = error instanceof AppError || codesOf(error).length > 0;
  if (!isKnown) return error instanceof Error ? (error.stack ?? error.message) : String(error);
  const messages = messagesOf(error);
  const isNew = (message: string, at: number) =>
    !messages.slice(0, at).some((earlier) => earlier.includes(message));
  return messages.filter(isNew).join('\n');
}
