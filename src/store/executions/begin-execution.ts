import { randomUUID } from 'node:crypto';
import { modelColumns } from '../../db/columns.ts';
import { statement } from '../../db/statement.ts';
import { TooManyRequests } from '../../errors.ts';
import { encodeInTurns, jsonSteps } from '../../model/values/json-steps.ts';
import type { DeferredRequest, Scope, Using } from '../../scope.ts';
import type { Credential } from '../../security/principal.ts';
import type { LocalExecution } from '../../services.ts';
import { enqueueJobs } from '../queue/enqueue-jobs.ts';
import { lockPending } from '../row-locks/advisory-locks.ts';
import { isLost } from './executions.ts';

/** The kind of job that runs executions. */
export const executionJob = 'run-execution';

const requestPurpose = 'request of an execution';

/** The maximum number of executions of one user that can be pending or running. */
const userLimit = 20;

/** The number of seconds after which a client that was rejected can try again. */
const retryAfter = 30;

const count = statement('count-executions', { count: 'int4' })`
  SELECT count(*)::int AS count FROM execution WHERE user_id = $1 AND answer IS NULL AND NOT (${isLost})`;

const begin = statement('begin-execution')`
  INSERT INTO execution (repository, id, user_id, operation, request, renewed_at)
  VALUES ($1, $2, $3, $4, $5, clock_timestamp())`;

// Keeps these files in the blob store until the execution is deleted.
const storeFiles = statement('store-execution-files')`
  INSERT INTO execution_file (repository, execution_id, digest) SELECT DISTINCT $1, $2, unnest($3::text[])`;

/**
 * Checks that the user can begin another execution.
 * @throws TooManyRequests if the user has too many executions
 */
async function requireRoom({ db, user }: Scope): Promise<void> {
  await lockPending(db, user.id, 'executions');
  const [row] = await db.query(count, [user.id]);
  if ((row?.count ?? 0) < userLimit) return;
  throw new TooManyRequests(
    `You have ${userLimit} executions in progress. Wait until one of them has ended.`,
    retryAfter,
  );
}

/**
 * Begins an execution. If the request is deferred, a job runs the operation; otherwise, the client runs it.
 * @returns the id of the execution
 * @throws TooManyRequests if the user has too many executions
 */
export async function beginExecution(scope: Scope, operation: string): Promise<string> {
  const { db, user, options, services, deferred } = scope;
  await requireRoom(scope);
  const [id, { repository }] = [randomUUID(), options];
  const { credential, endedBefore = null } = user;
  const request = deferred && { call: deferred.call, credential, endedBefore };
  const sealed = request
    ? await services.secrets.sealInTurns(requestPurpose, await encodeInTurns(jsonSteps(request)))
    : null;
  await db.query(begin, [repository, id, user.id, operation, sealed]);
  if (!deferred) return id;
  if (deferred.digests.length > 0) await db.query(storeFiles, [repository, id, deferred.digests]);
  await enqueueJobs(scope, [{ kind: executionJob, payload: { repository, id } }]);
  return id;
}

/** An execution that a job has to run. */
export interface PendingExecution extends LocalExecution {
  /** Undefined if it cannot be decrypted, because TOKEN_KEY has changed. */
  readonly request: PendingRequest | undefined;
}

/** The request that an execution runs, and the user who sent it. */
interface PendingRequest {
  readonly call: DeferredRequest['call'];
  /** The credential that the caller used: its kind and the id of its row. */
  readonly credential: Credential | undefined;
  /** The time at which the caller's credentials had last been revoked when the request was sent; null if never. */
  readonly endedBefore: Date | null;
}

function readRequest(text: string | undefined): PendingRequest | undefined {
  if (text === undefined) return undefined;
  const { call, credential, endedBefore } = JSON.parse(text);
  return { call, credential, endedBefore: endedBefore === null ? null : new Date(endedBefore) };
}

// This is plain SQL, because Prisma would copy a long request several times.
const find = statement('find-pending-execution', modelColumns('Execution', 'userId', 'operation', 'request'))`
  SELECT user_id AS "userId", operation, request FROM execution WHERE repository = $1 AND id = $2`;

/** Returns the execution that a job has to run; undefined if the execution has ended or was aborted. */
export async function findPendingExecution(
  { db, services: { secrets } }: Pick<Scope, 'db'> & Using<'secrets'>,
  { repository, id }: Pick<LocalExecution, 'repository' | 'id'>,
): Promise<PendingExecution | undefined> {
  const [row] = await db.query(find, [repository, id]);
  if (!row || row.request === null) return undefined;
  const { request, ...execution } = row;
  const text = await secrets.openInTurns(requestPurpose, request);
  return { repository, id, ...execution, request: readRequest(text) };
}
