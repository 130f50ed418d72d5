import { randomUUID } from 'node:crypto';
import type { Client, Query } from '../db/database.ts';
import {
  AppError,
  fromKept,
  Invalid,
  type KeptError,
  NotFound,
  TooManyRequests,
  toKept,
  Unavailable,
} from '../errors.ts';
import type { Scope } from '../scope.ts';
import { purpose } from './done-once.ts';

/** An execution of which nobody has heard for so many seconds is cut off: its process says so three times as often. */
export const silence = 30;

/** Executions that a user may have under way. */
const mostOfUser = 20;

/** An answer of more bytes, as JSON, is not kept. */
const longest = 20_000_000;

/** What an execution answered, or what went wrong: nothing is said of a fault of ours. */
type Outcome = { readonly answer: unknown } | { readonly error: KeptError | null };

/** An execution as it is addressed. */
export interface Address {
  readonly id: string;
  /** The name that the operation was called by. */
  readonly operation: string;
}

const turn: Query = {
  name: 'turn-to-execute',
  text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 1))',
};

const count: Query = {
  name: 'count-executions',
  text: `
    SELECT count(*)::int AS count FROM kept_answer
    WHERE user_id = $1 AND operation IS NOT NULL AND answer IS NULL
      AND created_at > clock_timestamp() - make_interval(secs => $2::int)`,
};

const begin: Query = {
  name: 'begin-execution',
  text: `
    INSERT INTO kept_answer (repository, user_id, key, request, operation, created_at)
    VALUES ($1, $2, $3, '', $4, clock_timestamp())`,
};

/** Not by its user: administrators may ask for any. */
const find: Query = {
  name: 'find-execution',
  text: `
    SELECT user_id AS "userId", answer IS NOT NULL AS "isDone",
      created_at < clock_timestamp() - make_interval(secs => $6::int) AS "isLost"
    FROM kept_answer
    WHERE repository = $1 AND key = $2 AND operation = $3 AND (user_id = $4 OR $5::boolean)`,
};

const answerQuery: Query = {
  name: 'answer-of-execution',
  text: `
    SELECT answer FROM kept_answer
    WHERE repository = $1 AND key = $2 AND operation = $3 AND (user_id = $4 OR $5::boolean)`,
};

const end: Query = {
  name: 'end-execution',
  text: `
    UPDATE kept_answer SET answer = $4, created_at = clock_timestamp()
    WHERE repository = $1 AND user_id = $2 AND key = $3 AND operation IS NOT NULL AND answer IS NULL
      AND ($5::int IS NULL OR created_at < clock_timestamp() - make_interval(secs => $5::int))
    RETURNING key`,
};

const forget: Query = {
  name: 'forget-execution',
  text: `
    DELETE FROM kept_answer
    WHERE repository = $1 AND key = $2 AND operation = $3 AND (user_id = $4 OR $5::boolean)
    RETURNING key`,
};

const renew: Query = {
  name: 'renew-executions',
  text: `
    UPDATE kept_answer k SET created_at = clock_timestamp()
    FROM unnest($1::text[], $2::text[]) AS mine (user_id, key)
    WHERE k.user_id = mine.user_id AND k.key = mine.key AND k.operation IS NOT NULL AND k.answer IS NULL
    RETURNING k.key`,
};

const notThere = (id: string) => new NotFound(`there is no execution ${id}`);

/** @throws Invalid when it is longer than what is kept. */
function sealed({ secrets }: Pick<Scope, 'secrets'>, outcome: Outcome): string {
  const text = JSON.stringify(outcome);
  if (Buffer.byteLength(text) > longest)
    throw new Invalid('the answer would be longer than 20 MB, which are not kept: ask for less');
  return secrets.seal(purpose, text);
}

/**
 * Makes an execution known, which then is under way.
 * @returns its id.
 * @throws TooManyRequests when the caller has too many.
 */
export async function beginExecution({ db, user, options }: Scope, operation: string): Promise<string> {
  await db.query(turn, [user.id]); // else two would both be the last one
  const [row] = await db.query<{ count: number }>(count, [user.id, silence]);
  if ((row?.count ?? 0) >= mostOfUser)
    throw new TooManyRequests(`${mostOfUser} of your executions are under way: wait for one to end`, silence);
  const id = randomUUID();
  await db.query(begin, [options.repository, user.id, id, operation]);
  return id;
}

/**
 * Keeps what an execution answers: in the transaction of its writes, of which there are none without it.
 * @throws NotFound when somebody aborted it, or took it to be cut off.
 */
export async function keepExecution<T>(scope: Scope, id: string, work: () => Promise<T>): Promise<T> {
  const { db, user, options } = scope;
  const answer = await work();
  const kept = await db.query(end, [options.repository, user.id, id, sealed(scope, { answer }), null]);
  if (kept.length === 0) throw notThere(id);
  return answer;
}

/** Keeps why an execution failed, unless it is no more. */
export async function failExecution(
  { db, user, options, secrets }: Pick<Scope, 'db' | 'user' | 'options' | 'secrets'>,
  id: string,
  error: unknown,
): Promise<void> {
  const outcome = { error: error instanceof AppError ? toKept(error) : null };
  await db.query(end, [options.repository, user.id, id, sealed({ secrets }, outcome), null]);
}

const cutOff = new Unavailable('the execution was cut off: its process ended; nothing was changed');

interface Row {
  readonly userId: string;
  readonly isDone: boolean;
  readonly isLost: boolean;
}

/** What tells an execution from others, and from those of others. @throws NotFound when it can be none. */
function valuesOf({ user, options }: Scope, { id, operation }: Address): unknown[] {
  if (/\0/.test(id + operation)) throw notThere(id);
  return [options.repository, id, operation, user.id, user.isAdministrator];
}

async function rowOf(scope: Scope, address: Address): Promise<Row> {
  const [row] = await scope.db.query<Row>(find, [...valuesOf(scope, address), silence]);
  if (!row) throw notThere(address.id);
  return row;
}

/** Whether an execution is under way in this process, as far as the caller may know. */
function isHere(
  { executing, user, options }: Pick<Scope, 'executing' | 'user' | 'options'>,
  { id, operation }: Address,
): boolean {
  const here = executing.find(id);
  return (
    here !== undefined &&
    (here.userId === user.id || user.isAdministrator) &&
    here.operation === operation &&
    here.repository === options.repository
  );
}

/**
 * An execution that the caller began, or anybody's for an administrator. One that its process does not speak of any more
 * is ended by whoever notices, so that nothing comes of it later.
 * @returns whether it is done.
 * @throws NotFound
 */
export async function isDone(scope: Scope, address: Address): Promise<boolean> {
  // The embedded database has one connection, and the execution may have it.
  if (isHere(scope, address)) return false;
  const found = await rowOf(scope, address);
  if (found.isDone || !found.isLost || scope.executing.find(address.id)) return found.isDone;
  const outcome = sealed(scope, { error: toKept(cutOff) });
  await scope.db.query(end, [scope.options.repository, found.userId, address.id, outcome, silence]);
  return (await rowOf(scope, address)).isDone;
}

/** What an execution answered that is done. @throws whatever it failed with; NotFound. */
export async function answerOf(scope: Scope, address: Address): Promise<unknown> {
  const { db, secrets } = scope;
  const { id } = address;
  const [row] = await db.query<{ answer: string | null }>(answerQuery, valuesOf(scope, address));
  const text = secrets.open(purpose, row?.answer ?? '');
  if (text === undefined) throw notThere(id); // TOKEN_KEY is another one
  const outcome = JSON.parse(text) as Outcome;
  if ('answer' in outcome) return outcome.answer;
  throw outcome.error ? fromKept(outcome.error) : new Error(`the execution ${id} failed: the log says why`);
}

/**
 * Has an execution of the caller, or anybody's for an administrator, end at its next statement when it is under way in this
 * process. On the embedded database nothing is written before that.
 */
export function endHere(scope: Pick<Scope, 'executing' | 'user' | 'options'>, address: Address): void {
  if (isHere(scope, address)) scope.executing.abort(address.id, notThere(address.id));
}

/**
 * Forgets an execution of the caller, or anybody's for an administrator, and what came of it; wherever it is under way, it
 * ends, for what it answers can no more be kept.
 * @throws NotFound
 */
export async function abortExecution(scope: Scope, address: Address): Promise<void> {
  const { db } = scope;
  if ((await db.query(forget, valuesOf(scope, address))).length === 0) throw notThere(address.id);
  await db.announce('executions');
}

/** Says that executions are under way still. @returns the ids of those that there still are. */
export async function renewExecutions(
  db: Pick<Client, 'query'>,
  executions: ReadonlyArray<{ readonly id: string; readonly userId: string }>,
): Promise<ReadonlySet<string>> {
  const values = [executions.map(({ userId }) => userId), executions.map(({ id }) => id)];
  return new Set((await db.query<{ key: string }>(renew, values)).map(({ key }) => key));
}
