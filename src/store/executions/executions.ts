import { modelColumns } from '../../db/columns.ts';
import { oldRowsDeletion } from '../../db/old-rows.ts';
import { statement } from '../../db/statement.ts';
import {
  AppError,
  fromStoredError,
  Invalid,
  NotFound,
  type StoredError,
  toStoredError,
  Unavailable,
} from '../../errors.ts';
import { isUuid } from '../../model/names.ts';
import { encodeInTurns, jsonSteps } from '../../model/values/json-steps.ts';
import type { Scope, Using } from '../../scope.ts';
import type { LocalExecution } from '../../services.ts';
import { isActive } from '../bulk/active-command.ts';
import { endBulkCommand } from '../bulk/commands.ts';
import { storedAnswerPurpose } from './idempotency.ts';

/** The number of seconds within which a client has to end an execution that it runs itself. */
const clientLimit = 30;

/** The maximum number of bytes in a result, as JSON. */
const answerLimit = 20_000_000;

/** The outcome of an execution. A server error is stored as `null`, without its details. */
type Outcome = { readonly answer: unknown } | { readonly error: StoredError | null };

/** Identifies an execution in a client's request. */
export interface ExecutionAddress {
  readonly id: string;
  /** The name that was used to call the operation. */
  readonly operation: string;
}

/**
 * SQL condition that is true if the execution is run by a client (it has no request) and the client has not ended it in
 * time.
 */
export const isLost = `request IS NULL AND answer IS NULL
  AND renewed_at < clock_timestamp() - make_interval(secs => ${clientLimit})`;

/** SQL condition that is true if the bulk action that the execution has started is still in progress. */
const isCommandActive = `EXISTS (SELECT FROM bulk_command b WHERE b.id = command_id AND ${isActive})`;

const find = statement('find-execution', {
  ...modelColumns('Execution', 'userId', 'commandId'),
  isDone: 'bool',
  isLost: 'bool',
})`
  SELECT user_id AS "userId", answer IS NOT NULL AND NOT ${isCommandActive} AS "isDone",
    command_id AS "commandId", ${isLost} AS "isLost"
  FROM execution WHERE repository = $1 AND id = $2 AND operation = $3 AND (user_id = $4 OR $5::boolean)`;

const end = statement('end-execution')`
  UPDATE execution SET answer = $4, request = NULL, renewed_at = clock_timestamp(),
    command_id = (SELECT id FROM bulk_command WHERE id = $6::uuid AND username = $3)
  WHERE repository = $1 AND id = $2 AND user_id = $3 AND answer IS NULL AND (NOT $5::boolean OR ${isLost})
  RETURNING id`;

const remove = statement('delete-execution', modelColumns('Execution', 'commandId'))`
  DELETE FROM execution WHERE repository = $1 AND id = $2 AND operation = $3 AND (user_id = $4 OR $5::boolean)
  RETURNING command_id AS "commandId"`;

const notThere = (id: string) => new NotFound(`There is no execution ${id}.`);

/**
 * Encrypts an outcome so that it can be stored.
 * @throws Invalid if the outcome is too long
 */
async function sealed({ services: { secrets } }: Using<'secrets'>, outcome: Outcome): Promise<string> {
  const json = await encodeInTurns(jsonSteps(outcome), answerLimit).catch((error: unknown) => {
    if (!(error instanceof RangeError)) throw error;
    throw new Invalid(
      'The result is longer than 20 MB, which is too long for an execution. Request less data.',
    );
  });
  return secrets.sealInTurns(storedAnswerPurpose, json);
}

/**
 * Ends an execution by storing its result. This happens in the transaction that contains its writes; if storing fails,
 * the writes are rolled back.
 * @param command the id of the bulk action that the execution has started for the user, if any
 * @throws NotFound if the execution was aborted or timed out; Invalid if the result is too long
 */
export async function endExecution(
  scope: Scope,
  id: string,
  answer: unknown,
  command?: string | null,
): Promise<void> {
  const { db, user, options } = scope;
  const begun = command && isUuid(command) ? command : null;
  const values = [options.repository, id, user.id, await sealed(scope, { answer }), false, begun];
  const ended = await db.query(end, values);
  if (ended.length === 0) throw notThere(id);
}

/** Ends an execution by storing the error that made it fail, unless it was aborted. */
export async function failExecution(
  { db, services: { secrets } }: Pick<Scope, 'db'> & Using<'secrets'>,
  { repository, id, userId }: Pick<LocalExecution, 'repository' | 'id' | 'userId'>,
  error: unknown,
): Promise<void> {
  const outcome = { error: error instanceof AppError ? toStoredError(error) : null };
  const answer = await sealed({ services: { secrets } }, outcome);
  await db.query(end, [repository, id, userId, answer, false, null]);
}

const cutOff = new Unavailable('The execution was aborted, because its client did not complete it in time.');

/** Whether an execution has ended. */
export interface ExecutionState {
  readonly isDone: boolean;
  /** The id of the bulk action that the execution has started. */
  readonly commandId: string | null;
}

interface Row extends ExecutionState {
  readonly userId: string;
  readonly isLost: boolean;
}

async function rowOf(
  { db, user, options }: Scope,
  { id, operation }: ExecutionAddress,
): Promise<Row | undefined> {
  const values = [options.repository, id, operation, user.id, user.isAdministrator];
  const [row] = await db.query(find, values);
  return row;
}

/** Returns the execution if it runs in this process and the caller is its owner or an administrator. */
function localExecution(
  { services: { executing }, user, options }: Pick<Scope, 'user' | 'options'> & Using<'executing'>,
  { id, operation }: ExecutionAddress,
): LocalExecution | undefined {
  const local = executing.find(id);
  const isOfCaller = local?.userId === user.id || user.isAdministrator;
  return isOfCaller && local?.operation === operation && local.repository === options.repository
    ? local
    : undefined;
}

/** @throws NotFound if the id or operation contains a NUL character, which PostgreSQL cannot store */
function requirePossible({ id, operation }: ExecutionAddress): void {
  if (/\0/.test(id + operation)) throw notThere(id);
}

/**
 * The state of an execution that belongs to the caller or, if the caller is an administrator, to any user. If the
 * client has not ended the execution in time, it is ended here.
 * @throws NotFound
 */
export async function executionState(scope: Scope, address: ExecutionAddress): Promise<ExecutionState> {
  // An execution that runs in this process is not done; no statement is needed to find this out.
  if (localExecution(scope, address)) return { isDone: false, commandId: null };
  requirePossible(address);
  const { db, options } = scope;
  const { id } = address;
  let found = await rowOf(scope, address);
  if (found?.isLost) {
    const outcome = await sealed(scope, { error: toStoredError(cutOff) });
    await db.query(end, [options.repository, id, found.userId, outcome, true, null]);
    found = await rowOf(scope, address);
  }
  if (!found) throw notThere(id);
  return found;
}

// This is plain SQL, because Prisma would copy a long result several times.
const findAnswer = statement('find-execution-answer', modelColumns('Execution', 'answer'))`
  SELECT answer FROM execution WHERE repository = $1 AND id = $2 AND operation = $3 AND (user_id = $4 OR $5::boolean)`;

/**
 * Returns the result of an execution that is done.
 * @throws the error that made the execution fail; NotFound
 */
export async function executionAnswer(scope: Scope, address: ExecutionAddress): Promise<unknown> {
  const { db, user, options } = scope;
  const { secrets } = scope.services;
  const { id, operation } = address;
  const values = [options.repository, id, operation, user.id, user.isAdministrator];
  const [row] = await db.query(findAnswer, values);
  const text = await secrets.openInTurns(storedAnswerPurpose, row?.answer ?? '');
  if (text === undefined) throw notThere(id); // the result cannot be decrypted, because TOKEN_KEY has changed
  const outcome = JSON.parse(text) as Outcome;
  if ('answer' in outcome) return outcome.answer;
  throw outcome.error
    ? fromStoredError(outcome.error)
    : new Error(`The execution ${id} failed. See the server log for details.`);
}

/**
 * Deletes an execution that belongs to the caller or, if the caller is an administrator, to any user, along with its
 * result. If it is running, it fails: in this process, at its next statement; in another process, when that process is
 * notified, or at the latest when the execution tries to end. A bulk action that it has started is aborted.
 * @throws NotFound
 */
export async function abortExecution(scope: Scope, address: ExecutionAddress): Promise<void> {
  const { db, trial, user, options } = scope;
  const { executing } = scope.services;
  const { id, operation } = address;
  requirePossible(address);
  // A local execution is aborted first; otherwise, the statement below would wait for its transaction.
  if (!trial && localExecution(scope, address)) executing.abort(id, notThere(id));
  const { repository } = options;
  const [deleted] = await db.query(remove, [repository, id, operation, user.id, user.isAdministrator]);
  if (!deleted) throw notThere(id);
  await db.announce('executions');
  if (deleted.commandId !== null) await endBulkCommand(scope, deleted.commandId);
}

/** Deletes executions that ended more than the given number of days ago. */
export const deleteOldExecutions = oldRowsDeletion({
  table: 'execution',
  key: ['repository', 'id'],
  since: 'renewed_at',
  unless: `request IS NOT NULL OR ${isCommandActive}`,
});
