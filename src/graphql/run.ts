import {
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  getOperationAST,
} from 'graphql';
import { documentOperations } from '../automation/document-operations.ts';
import { abortableClient } from '../db/abortable-client.ts';
import type { Client, Session } from '../db/database.ts';
import { isReplicaError, translateDatabaseError } from '../db/errors.ts';
import type { RequestMemory } from '../db/memory-budget.ts';
import { Invalid, NotFound } from '../errors.ts';
import { type Context, createContext } from '../loaders/context.ts';
import type { Scope, SearchTurn } from '../scope.ts';
import type { GraphqlOperation, OperationKind } from '../selection/operation.ts';
import type { Caller, Run } from '../selection/run.ts';
import { responseKey } from '../selection/selection.ts';
import type { Services } from '../services.ts';
import { runIdempotently } from '../store/executions/idempotency.ts';
import { type FileJobs, jobsOfOwnFiles } from '../store/search/await-files.ts';
import { endUsedUploads } from '../store/uploads/uploads.ts';
import { type OperationCompiler, operationCompiler } from './compile-operation.ts';
import { extensionContext, useSchema } from './extension-context.ts';
import { serializeLong } from './long-results.ts';

/** Returns the error thrown by a resolver. Errors of graphql-js itself are converted to Invalid. */
function causeOf({ errors }: ExecutionResult): unknown {
  const error = errors?.[0];
  return error && (error.originalError ?? new Invalid(error.message));
}

/** Names a missing value as the request does (`year`) instead of by its GraphQL variable (`$query_year`). */
function withInputName(cause: unknown, { inputs }: GraphqlOperation): unknown {
  if (!(cause instanceof Invalid)) return cause;
  const [, variable] = /^Variable "\$(\w+)" of required type/.exec(cause.message) ?? [];
  const name = [...inputs.keys()].find((input) => responseKey(input) === variable);
  return name === undefined ? cause : new Invalid(`${name.split('.').at(-1)} is missing.`);
}

/** Thrown to roll back the transaction of a trial run; carries the result of the call. */
class TrialEnd extends Error {
  readonly answer: unknown;
  constructor(answer: unknown) {
    super('The transaction of a trial run is rolled back.');
    this.answer = answer;
  }
}

/** Runs work in a transaction that is rolled back, and resolves with the result of the work. */
async function runTrial<T>(database: Session, seconds: number, work: (db: Client) => Promise<T>): Promise<T> {
  try {
    return await database.transaction(seconds, async (db) => {
      throw new TrialEnd(await work(db));
    });
  } catch (error) {
    if (error instanceof TrialEnd) return error.answer as T;
    throw error;
  }
}

/**
 * Waits until searches find the changes of a committed transaction. Errors are only logged: if the request failed,
 * the client might repeat it, and the write would be executed twice.
 * @returns the maximum delay of the index in milliseconds
 */
async function catchUp(
  { searchIndex, log }: Services,
  database: Session,
  own: { readonly user: string; readonly jobs: FileJobs },
): Promise<number> {
  const began = performance.now();
  try {
    return (await searchIndex.catchUpWithFiles(database, own)).behind;
  } catch (error) {
    log.warn({ err: error }, 'Waiting for the search index after a write failed.');
    return Math.ceil(performance.now() - began);
  }
}

type CallKind = OperationKind | 'subscription';

interface RunningCall<T> {
  readonly services: Services;
  readonly caller: Caller;
  readonly kind: CallKind;
  readonly work: (context: Context) => Promise<T>;
  readonly turn: SearchTurn;
  /** Opens a session on the primary. The caller's meter counts its statements. */
  readonly primary: () => Session;
  readonly seconds: number;
}

function newContext({ services, caller, turn }: RunningCall<unknown>, db: Client): Context {
  const { user, options, deferred, trial, signal } = caller;
  const scope: Scope = {
    services,
    user,
    options,
    usedUploads: new Set(),
    deferred,
    trial,
    searchTurn: turn,
    memory: caller.meter.memory,
    db: signal ? abortableClient(signal, db) : db,
    extensionContext,
  };
  return createContext(scope, documentOperations);
}

/**
 * Returns whether the call can write. If it can, the uploads that it used are deleted afterwards, and the caller's
 * later reads see its changes.
 */
const canWrite = ({ kind, caller }: RunningCall<unknown>): boolean =>
  kind === 'mutation' || kind === 'outsideTransaction' || caller.endsUploads === true;

const readerOf = ({ user, carried }: Caller) => ({ user: user.id, carried });

async function runUnconnected<T>(call: RunningCall<T>): Promise<T> {
  const { services, caller, kind, work, turn, primary } = call;
  const { reads } = services.database;
  const reader = readerOf(caller);
  const read = async (db: Client) => {
    turn.caughtUp = undefined; // The state may come from a replica that was tried first.
    const context = newContext(call, db);
    return { answer: await work(context), usedUploads: context.usedUploads };
  };
  const isOnPrimary = turn.origin === 'execution' || kind === 'outsideTransaction';
  const { answer, usedUploads } = await (isOnPrimary
    ? read(primary())
    : reads.run(caller.meter, reader, read));
  if (canWrite(call)) {
    await endUsedUploads({ db: primary(), user: caller.user, options: caller.options, usedUploads });
    await reads.wrote(reader);
  }
  return answer;
}

async function runInTransaction<T>(call: RunningCall<T>): Promise<T> {
  const { services, caller, kind, work, turn, primary, seconds } = call;
  const database = primary();
  const { options, trial } = caller;
  const isSynced = kind === 'mutation' && options.searchSync && !trial;
  let fileJobs: FileJobs = [];
  const connected = async (db: Client): Promise<T> => {
    const context = newContext(call, db);
    const answer = await work(context);
    if (canWrite(call)) await endUsedUploads(context);
    if (isSynced) fileJobs = await jobsOfOwnFiles(db);
    return answer;
  };
  const run = () =>
    trial
      ? runTrial(database, seconds, connected)
      : database.transaction(seconds, connected, canWrite(call) ? caller.user.id : undefined);
  // The server's own work, such as a batch of a bulk action, does not count towards the user's share of transactions.
  const answer = await (turn.origin === 'server' ? run() : services.transactionTurns.take(turn, run));
  if (canWrite(call) && !trial) await services.database.reads.wrote(readerOf(caller));
  if (isSynced) {
    const behind = await catchUp(services, database, { user: caller.user.id, jobs: fileJobs });
    turn.delay = Math.max(turn.delay, behind);
  }
  return answer;
}

/**
 * Releases the memory reservation of a request once its response has been sent or its client has disconnected. Until
 * then, the rows stay in memory.
 */
function releaseAfterAnswer(memory: RequestMemory, { response }: Pick<Caller, 'response'>): void {
  if (memory.held === 0) return;
  if (!response || response.closed) memory.release();
  else response.once('close', () => memory.release());
}

/**
 * Runs work with a new context. Mutations, trial runs and work with a time limit run in one transaction.
 * @throws NotFound if the repository does not exist
 */
export async function runInContext<T>(
  services: Services,
  caller: Caller,
  kind: CallKind,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  const { config, searchIndex } = services;
  const { user, options, meter, response, signal, trial } = caller;
  if (!config.REPOSITORIES.includes(options.repository)) {
    throw new NotFound(`The repository ${options.repository} does not exist.`);
  }
  const seconds = options.timeout ?? services.config.TRANSACTION_TIMEOUT;
  const deadline = performance.now() + seconds * 1000;
  const hasLimit = options.timeout !== undefined && kind !== 'outsideTransaction';
  const isWrite = kind === 'mutation';
  const isConnected = isWrite || hasLimit || trial !== undefined;
  const origin = signal ? 'execution' : response ? 'request' : 'server';
  const turn: SearchTurn = {
    user: user.id,
    deadline,
    isConnected,
    isWrite,
    origin,
    signal,
    response,
    delay: 0,
  };
  // The server's own work reads in bounded batches, so it does not count towards the memory budget.
  if (origin !== 'server') meter.memory ??= services.memoryBudget.open(user.id);
  if (caller.wholeAnswerLimit !== undefined) meter.memory?.limitTo(caller.wholeAnswerLimit);
  const primary = () => services.database.metered(meter);
  const call: RunningCall<T> = { services, caller, kind, work, turn, primary, seconds };
  try {
    return await (isConnected ? runInTransaction(call) : runUnconnected(call));
  } catch (error) {
    throw translateDatabaseError(error);
  } finally {
    // A context often stays in memory after its request, until the next full garbage collection, and would retain a
    // large response.
    turn.response = undefined;
    meter.searchDelay = Math.max(meter.searchDelay, turn.delay);
    if (meter.memory) releaseAfterAnswer(meter.memory, kind === 'subscription' ? {} : caller);
    if (isWrite) searchIndex.changed();
  }
}

type Compiled = ReturnType<OperationCompiler>;

/** Creates a runner. It compiles each operation when it first runs, and caches the compiled code. */
export function createRunner(
  schema: GraphQLSchema,
  services: Services,
  compilerOf: (schema: GraphQLSchema) => OperationCompiler = operationCompiler,
): Run {
  useSchema(schema, services);
  const compiled = new WeakMap<GraphqlOperation, Compiled>();
  let compile: OperationCompiler | undefined; // The compiler is created with the first request, because creating it takes time.
  const compiledOf = (operation: GraphqlOperation): Compiled => {
    compile ??= compilerOf(schema);
    const known = compiled.get(operation) ?? compile(operation);
    compiled.set(operation, known);
    return known;
  };
  const ask = async (
    context: Context,
    operation: GraphqlOperation,
    inputs: Readonly<Record<string, unknown>>,
  ) => {
    const { query } = compiledOf(operation);
    context.absence = undefined;
    const result = await query(undefined, context, { ...operation.constants, ...inputs });
    const cause = withInputName(causeOf(result), operation) ?? context.absence;
    if (cause) throw cause; // Throwing the error rolls back the transaction.
    return result.data ?? {};
  };
  const run: Run = async (caller, kind, work) => {
    const { idempotentRequest: once } = caller;
    // The idempotency key is claimed and the response is stored in the same transaction as the write.
    return runInContext(services, caller, once ? 'mutation' : kind, (context) => {
      const perform = () => work((operation, inputs) => ask(context, operation, inputs));
      return once ? runIdempotently(context, once, perform) : perform();
    });
  };
  return run;
}

/** Executes an operation sent to /graphql by the same rules as the operations of REST routes. */
export async function executeClientOperation(
  services: Services,
  caller: Caller,
  args: ExecutionArgs,
): Promise<ExecutionResult> {
  const kind = getOperationAST(args.document, args.operationName)?.operation ?? 'query';
  let failed: ExecutionResult | undefined;
  const work = async (contextValue: Context): Promise<ExecutionResult> => {
    failed = undefined;
    const hints: NonNullable<Context['hints']> = [];
    contextValue.hints = hints;
    const executed = await execute({ ...args, contextValue });
    const result = hints.length > 0 ? { ...executed, extensions: { absent: hints } } : executed;
    const isAgain = contextValue.db.replica !== undefined && isReplicaError(causeOf(result));
    const cause = kind === 'mutation' || isAgain ? causeOf(result) : undefined;
    if (!cause) return serializeLong(result, services.config.ANSWER_LIMIT);
    failed = result;
    throw cause; // Throwing the error rolls back the transaction, which is retried after a conflict with another transaction.
  };
  try {
    return await runInContext(services, caller, kind, work);
  } catch (error) {
    if (failed) return failed;
    throw error;
  }
}
