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
import type { LocalExecution, Scope } from '../../scope.ts';
import { keptAnswerPurpose } from './idempotency.ts';

/** Seconds within which a client ends an execution that it runs itself. */
const clientLimit = 30;

/** Bytes of an answer, as JSON. */
const answerLimit = 20_000_000;

/** A fault of the server is kept without its details, as `null`. */
type Outcome = { readonly answer: unknown } | { readonly error: StoredError | null };

export interface ExecutionAddress {
  readonly id: string;
  /** The name that the operation was called by. */
  readonly operation: string;
}

/** SQL: a client runs it, since it has no request, and has not ended it in time. */
export const isLost = `request IS NULL AND answer IS NULL
  AND renewed_at < clock_timestamp() - make_interval(secs => ${clientLimit})`;

const find = statement('find-execution')`
  SELECT user_id AS "userId", answer IS NOT NULL AS "isDone", ${isLost} AS "isLost"
  FROM execution WHERE repository = $1 AND id = $2 AND operation = $3 AND (user_id = $4 OR $5::boolean)`;

const end = statement('end-execution')`
  UPDATE execution SET answer = $4, request = NULL, renewed_at = clock_timestamp()
  WHERE repository = $1 AND id = $2 AND user_id = $3 AND answer IS NULL AND (NOT $5::boolean OR ${isLost})
  RETURNING id`;

const notThere = (id: string) => new NotFound(`there is no execution ${id}`);

/** @throws Invalid when the outcome is too long to be kept. */
function sealed({ secrets }: Pick<Scope, 'secrets'>, outcome: Outcome): string {
  const text = JSON.stringify(outcome);
  if (Buffer.byteLength(text) > answerLimit)
    throw new Invalid('the answer would be longer than 20 MB, which are not kept: ask for less');
  return secrets.seal(keptAnswerPurpose, text);
}

/**
 * Keeps the answer of an execution: in the transaction of its writes, which are rolled back without it.
 * @throws NotFound when it was aborted, or counts as cut off; Invalid when the answer is too long.
 */
export async function endExecution(scope: Scope, id: string, answer: unknown): Promise<void> {
  const { db, user, options } = scope;
  const ended = await db.query(end, [options.repository, id, user.id, sealed(scope, { answer }), false]);
  if (ended.length === 0) throw notThere(id);
}

/** Keeps the error that an execution failed with, unless it was aborted. */
export async function failExecution(
  { db, secrets }: Pick<Scope, 'db' | 'secrets'>,
  { repository, id, userId }: Pick<LocalExecution, 'repository' | 'id' | 'userId'>,
  error: unknown,
): Promise<void> {
  const outcome = { error: error instanceof AppError ? toStoredError(error) : null };
  await db.query(end, [repository, id, userId, sealed({ secrets }, outcome), false]);
}

const cutOff = new Unavailable('the execution was cut off: its client ended it too late');

interface Row {
  readonly userId: string;
  readonly isDone: boolean;
  readonly isLost: boolean;
}

async function rowOf(
  { db, user, options }: Scope,
  { id, operation }: ExecutionAddress,
): Promise<Row | undefined> {
  const values = [options.repository, id, operation, user.id, user.isAdministrator];
  const [row] = await db.query<Row>(find, values);
  return row;
}

/** The execution where it runs in this process, and the caller began it or is an administrator. */
function localExecution(
  { executing, user, options }: Pick<Scope, 'executing' | 'user' | 'options'>,
  { id, operation }: ExecutionAddress,
): LocalExecution | undefined {
  const local = executing.find(id);
  const isOfCaller = local?.userId === user.id || user.isAdministrator;
  return isOfCaller && local?.operation === operation && local.repository === options.repository
    ? local
    : undefined;
}

/** @throws NotFound when there can be no such execution: PostgreSQL refuses the character. */
function requirePossible({ id, operation }: ExecutionAddress): void {
  if (/\0/.test(id + operation)) throw notThere(id);
}

/**
 * Whether an execution of the caller, or of any user for an administrator, is done. One that its client has
 * not ended in time is ended here.
 * @throws NotFound
 */
export async function isExecutionDone(scope: Scope, address: ExecutionAddress): Promise<boolean> {
  // The embedded database has one connection, and the execution may have it.
  if (localExecution(scope, address)) return false;
  requirePossible(address);
  const { db, options } = scope;
  const { id } = address;
  let found = await rowOf(scope, address);
  if (found?.isLost) {
    const outcome = sealed(scope, { error: toStoredError(cutOff) });
    await db.query(end, [options.repository, id, found.userId, outcome, true]);
    found = await rowOf(scope, address);
  }
  if (!found) throw notThere(id);
  return found.isDone;
}

/** Selects an execution if the caller began it or is an administrator. */
const whereOf = ({ user, options }: Scope, { id, operation }: ExecutionAddress) => ({
  repository: options.repository,
  id,
  operation,
  ...(!user.isAdministrator && { userId: user.id }),
});

/** The answer of an execution that is done. @throws the error that it failed with; NotFound. */
export async function executionAnswer(scope: Scope, address: ExecutionAddress): Promise<unknown> {
  const { db, secrets } = scope;
  const { id } = address;
  const row = await db.prisma.execution.findFirst({
    where: whereOf(scope, address),
    select: { answer: true },
  });
  const text = secrets.open(keptAnswerPurpose, row?.answer ?? '');
  if (text === undefined) throw notThere(id); // TOKEN_KEY has changed
  const outcome = JSON.parse(text) as Outcome;
  if ('answer' in outcome) return outcome.answer;
  throw outcome.error
    ? fromStoredError(outcome.error)
    : new Error(`the execution ${id} failed: the log says why`);
}

/**
 * Deletes an execution of the caller, or of any user for an administrator, and its answer. Wherever it is
 * under way, it fails: in this process at its next statement, in another one when it hears of it, or else
 * when it is to end.
 * @throws NotFound
 */
export async function abortExecution(scope: Scope, address: ExecutionAddress): Promise<void> {
  const { db, executing, trial } = scope;
  const { id } = address;
  requirePossible(address);
  // First: it may have the one connection of the embedded database.
  if (!trial && localExecution(scope, address)) executing.abort(id, notThere(id));
  const { count: deleted } = await db.prisma.execution.deleteMany({ where: whereOf(scope, address) });
  if (deleted === 0) throw notThere(id);
  await db.announce('executions');
}

/** Deletes executions that ended so many days ago. */
export const deleteOldExecutions = oldRowsDeletion({
  table: 'execution',
  key: ['repository', 'id'],
  since: 'renewed_at',
  unless: 'request IS NOT NULL',
});
