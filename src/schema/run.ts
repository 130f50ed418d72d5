import { setImmediate } from 'node:timers/promises';
import {
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  getOperationAST,
} from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import { type Context, createContext } from '../context.ts';
import type { Client, Database } from '../db/database.ts';
import { translate } from '../db/errors.ts';
import { Invalid, NotFound } from '../errors.ts';
import type { Caller, Execution, Operation, Run } from '../operation.ts';
import type { Scope } from '../scope.ts';
import { doneOnce } from '../store/done-once.ts';
import { keepExecution } from '../store/executions.ts';
import { endUsedUploads } from '../store/uploads.ts';

/** What every request shares. */
export interface Services
  extends Pick<Scope, 'model' | 'blobs' | 'chief' | 'secrets' | 'attempts' | 'executing' | 'log'> {
  readonly database: Database;
  readonly repositories: readonly string[];
  /** Seconds a transaction may last when the request does not say. */
  readonly transactionTimeout: number;
}

/** What a resolver threw; what GraphQL itself objects to is the caller's fault. */
function causeOf({ errors }: ExecutionResult): unknown {
  const error = errors?.[0];
  return error && (error.originalError ?? new Invalid(error.message));
}

/**
 * A client that begins no statement any more once the execution is to end: whoever wants one fails, and is rolled back.
 * Others have their turn before each: the embedded database would keep the event loop to itself.
 */
const endingWith = ({ signal }: Execution, db: Client): Client => ({
  announce: db.announce,
  get prisma() {
    signal.throwIfAborted();
    return db.prisma;
  },
  query: async (...asked) => {
    await setImmediate();
    signal.throwIfAborted();
    return db.query(...asked);
  },
});

/**
 * Runs work with a fresh context: a mutation, and whatever has a time limit, in one transaction.
 * @throws NotFound when the repository is none of ours.
 */
export async function inContext<T>(
  services: Services,
  { user, options, meter, execution }: Caller,
  kind: 'query' | 'mutation' | 'subscription',
  work: (context: Context) => Promise<T>,
): Promise<T> {
  const { model, blobs, chief, secrets, attempts, executing, log, repositories, transactionTimeout } =
    services;
  if (!repositories.includes(options.repository)) {
    throw new NotFound(`the repository ${options.repository} does not exist`);
  }
  const database = services.database.metered(meter);
  const scope = { model, blobs, chief, secrets, attempts, executing, log, user, options };
  const contextOf = (db: Client) =>
    createContext({ ...scope, usedUploads: new Set(), db: execution ? endingWith(execution, db) : db });
  try {
    if (kind === 'query' && options.timeout === undefined) return await work(contextOf(database));
    return await database.transaction(options.timeout ?? transactionTimeout, async (db) => {
      const context = contextOf(db);
      const answer = await work(context);
      if (kind === 'mutation') await endUsedUploads(context);
      return answer;
    });
  } catch (error) {
    throw translate(error);
  }
}

/** Resolvers answer what their fields say, as the compiler has seen to: it need not be looked at again. */
const options = { disableLeafSerialization: true };

function compile(schema: GraphQLSchema, { document }: Operation): CompiledQuery {
  const compiled = compileQuery(schema, document, undefined, options);
  if (!isCompiledQuery(compiled)) throw new Error(compiled.errors?.map(({ message }) => message).join('; '));
  return compiled;
}

/** Runs operations that are kept: each is compiled to code the first time. */
export function createRunner(schema: GraphQLSchema, services: Services): Run {
  const compiled = new WeakMap<Operation, CompiledQuery>();
  const compiledOf = (operation: Operation): CompiledQuery => {
    const known = compiled.get(operation) ?? compile(schema, operation);
    compiled.set(operation, known);
    return known;
  };
  const ask = async (context: Context, operation: Operation, inputs: Readonly<Record<string, unknown>>) => {
    const { query } = compiledOf(operation);
    const result = await query(undefined, context, { ...operation.constants, ...inputs });
    const cause = causeOf(result);
    if (cause) throw cause; // a transaction rolls back on it
    return result.data ?? {};
  };
  return (caller, kind, work) =>
    inContext(services, caller, kind, (context) => {
      const done = () => work((operation, inputs) => ask(context, operation, inputs));
      if (caller.execution) return keepExecution(context, caller.execution.id, done);
      return caller.once && kind === 'mutation' ? doneOnce(context, caller.once, done) : done();
    });
}

/** Executes what a GraphQL client sent, under the same rules as our own operations. */
export async function executeFor(
  services: Services,
  caller: Caller,
  args: ExecutionArgs,
): Promise<ExecutionResult> {
  const kind = getOperationAST(args.document, args.operationName)?.operation ?? 'query';
  let failed: ExecutionResult | undefined;
  const work = async (contextValue: Context): Promise<ExecutionResult> => {
    failed = undefined;
    const result = await execute({ ...args, contextValue });
    const cause = kind === 'mutation' ? causeOf(result) : undefined;
    if (!cause) return result;
    failed = result;
    throw cause; // the transaction rolls back on it, and is run again where another one stood in its way
  };
  try {
    return await inContext(services, caller, kind, work);
  } catch (error) {
    if (failed) return failed;
    throw error;
  }
}
