import { randomUUID } from 'node:crypto';
import { statement } from '../../db/statement.ts';
import { TooManyRequests } from '../../errors.ts';
import type { DeferredRequest, Scope, Using } from '../../scope.ts';
import type { Credential } from '../../security/principal.ts';
import type { LocalExecution } from '../../services.ts';
import { enqueueJobs } from '../queue/enqueue-jobs.ts';
import { lockPending } from '../row-locks/advisory-locks.ts';
import { isLost } from './executions.ts';

/** The jobs that run executions. */
export const executionJob = 'run-execution';

const requestPurpose = 'request of an execution';

/** Executions of one user that may be pending or under way. */
const userLimit = 20;

/** Seconds after which a refused client may try again. */
const retryAfter = 30;

const count = statement('count-executions', { count: 'int4' })`
  SELECT count(*)::int AS count FROM execution WHERE user_id = $1 AND answer IS NULL AND NOT (${isLost})`;

const begin = statement('begin-execution')`
  INSERT INTO execution (repository, id, user_id, operation, request, renewed_at)
  VALUES ($1, $2, $3, $4, $5, clock_timestamp())`;

// Until the execution is forgotten, the sweep of blobs leaves them.
const keepFiles = statement('keep-execution-files')`
  INSERT INTO execution_file (repository, execution_id, digest) SELECT DISTINCT $1, $2, unnest($3::text[])`;

async function requireRoom({ db, user }: Scope): Promise<void> {
  await lockPending(db, user.id, 'executions');
  const [row] = await db.query(count, [user.id]);
  if ((row?.count ?? 0) < userLimit) return;
  throw new TooManyRequests(`${userLimit} of your executions are under way: wait for one to end`, retryAfter);
}

/**
 * Begins an execution. A job does what the request defers; where it defers nothing, the client runs it.
 * @returns its id.
 * @throws TooManyRequests when the user has too many already.
 */
export async function beginExecution(scope: Scope, operation: string): Promise<string> {
  const { db, user, options, services, deferred } = scope;
  await requireRoom(scope);
  const [id, { repository }] = [randomUUID(), options];
  const { credential, endedBefore = null } = user;
  const request = deferred && JSON.stringify({ call: deferred.call, credential, endedBefore });
  const sealed = request === undefined ? null : services.secrets.seal(requestPurpose, request);
  await db.query(begin, [repository, id, user.id, operation, sealed]);
  if (!deferred) return id;
  if (deferred.digests.length > 0) await db.query(keepFiles, [repository, id, deferred.digests]);
  await enqueueJobs(scope, [{ kind: executionJob, payload: { repository, id } }]);
  return id;
}

/** An execution that a job is to run. */
export interface PendingExecution extends LocalExecution {
  /** Undefined when it cannot be decrypted: TOKEN_KEY is another one by now. */
  readonly request: PendingRequest | undefined;
}

interface PendingRequest {
  readonly call: DeferredRequest['call'];
  /** By what its caller was known: the kind of the credential and the id of its row. */
  readonly credential: Credential | undefined;
  /** When the credentials of the caller had ended last. */
  readonly endedBefore: Date | null;
}

function readRequest(text: string | undefined): PendingRequest | undefined {
  if (text === undefined) return undefined;
  const { call, credential, endedBefore } = JSON.parse(text);
  return { call, credential, endedBefore: endedBefore === null ? null : new Date(endedBefore) };
}

/** What a job is to run; undefined when it was run already, or was aborted. */
export async function findPendingExecution(
  { db, services: { secrets } }: Pick<Scope, 'db'> & Using<'secrets'>,
  { repository, id }: Pick<LocalExecution, 'repository' | 'id'>,
): Promise<PendingExecution | undefined> {
  const row = await db.prisma.execution.findUnique({
    where: { repository_id: { repository, id } },
    select: { userId: true, operation: true, request: true },
  });
  if (!row || row.request === null) return undefined;
  const { request, ...execution } = row;
  return { repository, id, ...execution, request: readRequest(secrets.open(requestPurpose, request)) };
}
