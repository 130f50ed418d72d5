import { randomUUID } from 'node:crypto';
import type { Client } from '../../db/database.ts';
import { oldRowsDeletion } from '../../db/old-rows.ts';
import { statement } from '../../db/statement.ts';
import {
  AppError,
  fromStoredError,
  Invalid,
  NotFound,
  type StoredError,
  TooManyRequests,
  toStoredError,
  Unavailable,
} from '../../errors.ts';
import type { LocalExecution, Scope } from '../../scope.ts';
import { lockExecutions } from '../row-locks/advisory-locks.ts';
import { keptAnswerPurpose } from './idempotency.ts';

/**
 * Seconds without a heartbeat after which an execution counts as cut off: its process sends three in that
 * time.
 */
export const heartbeatTimeout = 30;

/** Executions of one user that may be pending or under way. */
const userLimit = 20;

/** Bytes of an answer, as JSON. */
const answerLimit = 20_000_000;

/** A fault of the server is kept without its details, as `null`. */
type Outcome = { readonly answer: unknown } | { readonly error: StoredError | null };

export interface ExecutionAddress {
  readonly id: string;
  /** The name that the operation was called by. */
  readonly operation: string;
}

const count = statement('count-executions')`
  SELECT count(*)::int AS count FROM execution
  WHERE user_id = $1 AND answer IS NULL AND renewed_at > clock_timestamp() - make_interval(secs => $2::int)`;

const begin = statement('begin-execution')`
  INSERT INTO execution (repository, id, user_id, operation, renewed_at)
  VALUES ($1, $2, $3, $4, clock_timestamp())`;

const find = statement('find-execution')`
  SELECT user_id AS "userId", answer IS NOT NULL AS "isDone",
    renewed_at < clock_timestamp() - make_interval(secs => $6::int) AS "isLost"
  FROM execution WHERE repository = $1 AND id = $2 AND operation = $3 AND (user_id = $4 OR $5::boolean)`;

const end = statement('end-execution')`
  UPDATE execution SET answer = $4, renewed_at = clock_timestamp()
  WHERE repository = $1 AND id = $2 AND user_id = $3 AND answer IS NULL
    AND ($5::int IS NULL OR renewed_at < clock_timestamp() - make_interval(secs => $5::int))
  RETURNING id`;

const renew = statement('renew-executions')`
  UPDATE execution e SET renewed_at = clock_timestamp()
  FROM unnest($1::text[], $2::text[]) AS mine (repository, id)
  WHERE e.repository = mine.repository AND e.id = mine.id AND e.answer IS NULL
  RETURNING e.id`;

const notThere = (id: string) => new NotFound(`there is no execution ${id}`);

/** @throws Invalid when the outcome is too long to be kept. */
function sealed({ secrets }: Pick<Scope, 'secrets'>, outcome: Outcome): string {
  const text = JSON.stringify(outcome);
  if (Buffer.byteLength(text) > answerLimit)
    throw new Invalid('the answer would be longer than 20 MB, which are not kept: ask for less');
  return secrets.seal(keptAnswerPurpose, text);
}

/**
 * Begins an execution; its deferred work, if the request has any, is queued once the transaction is
 * committed.
 * @returns its id.
 * @throws TooManyRequests, Unavailable when the user, or this process, has too many already.
 */
export async function beginExecution(scope: Scope, operation: string): Promise<string> {
  const { db, user, options, executing, begunExecutions } = scope;
  executing.requireCapacity();
  await lockExecutions(db, user.id); // without it, two requests could both begin the last one
  const [row] = await db.query<{ count: number }>(count, [user.id, heartbeatTimeout]);
  if ((row?.count ?? 0) >= userLimit)
    throw new TooManyRequests(
      `${userLimit} of your executions are under way: wait for one to end`,
      heartbeatTimeout,
    );
  const [id, { repository }, userId] = [randomUUID(), options, user.id];
  await db.query(begin, [repository, id, userId, operation]);
  begunExecutions.push({ id, userId, repository, operation });
  return id;
}

/**
 * Keeps the answer of an execution: in the transaction of its writes, which are rolled back without it.
 * @throws NotFound when it was aborted, or counts as cut off; Invalid when the answer is too long.
 */
export async function endExecution(scope: Scope, id: string, answer: unknown): Promise<void> {
  const { db, user, options } = scope;
  const ended = await db.query(end, [options.repository, id, user.id, sealed(scope, { answer }), null]);
  if (ended.length === 0) throw notThere(id);
}

/** Keeps the error that an execution failed with, unless it was aborted. */
export async function failExecution(
  { db, user, options, secrets }: Pick<Scope, 'db' | 'user' | 'options' | 'secrets'>,
  id: string,
  error: unknown,
): Promise<void> {
  const outcome = { error: error instanceof AppError ? toStoredError(error) : null };
  await db.query(end, [options.repository, id, user.id, sealed({ secrets }, outcome), null]);
}

const cutOff = new Unavailable('the execution was cut off: its process ended; nothing was changed');

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
  const [row] = await db.query<Row>(find, [...values, heartbeatTimeout]);
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
 * Whether an execution of the caller, or of any user for an administrator, is done. One without a heartbeat
 * is ended here, so that its process can commit nothing any more.
 * @throws NotFound
 */
export async function isExecutionDone(scope: Scope, address: ExecutionAddress): Promise<boolean> {
  // The embedded database has one connection, and the execution may have it.
  if (localExecution(scope, address)) return false;
  requirePossible(address);
  const { db, executing, options } = scope;
  const { id } = address;
  let found = await rowOf(scope, address);
  if (found?.isLost && !found.isDone && !executing.find(id)) {
    const outcome = sealed(scope, { error: toStoredError(cutOff) });
    await db.query(end, [options.repository, id, found.userId, outcome, heartbeatTimeout]);
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
  const { db, executing } = scope;
  const { id } = address;
  requirePossible(address);
  // First: it may have the one connection of the embedded database.
  if (localExecution(scope, address)) executing.abort(id, notThere(id));
  const { count: deleted } = await db.prisma.execution.deleteMany({ where: whereOf(scope, address) });
  if (deleted === 0) throw notThere(id);
  await db.announce('executions');
}

/** Sends the heartbeat of executions. @returns the ids of those that still exist. */
export async function renewExecutions(
  db: Pick<Client, 'query'>,
  executions: readonly LocalExecution[],
): Promise<ReadonlySet<string>> {
  const values = [executions.map(({ repository }) => repository), executions.map(({ id }) => id)];
  return new Set((await db.query<{ id: string }>(renew, values)).map(({ id }) => id));
}

/** Deletes executions that ended, or were last heard of, so many days ago. */
export const deleteOldExecutions = oldRowsDeletion({
  table: 'execution',
  key: ['repository', 'id'],
  since: 'renewed_at',
});
