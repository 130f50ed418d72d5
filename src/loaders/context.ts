import type { AppError } from '../errors.ts';
import type { Scope } from '../scope.ts';
import { createLoaders, type Loaders } from './index.ts';

/** The name of an operation or a chain, along with the parameters to call it with (§4.7). */
export interface NamedOperation {
  readonly name: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Runs operations on documents on behalf of layers that are not allowed to import operations. */
export interface DocumentOperations {
  /**
   * Checks a call before the operation runs on many documents.
   * @throws Invalid for a fault that would occur for every document
   */
  check(context: Context, operation: NamedOperation): void;
  run(context: Context, document: string, operation: NamedOperation): Promise<unknown>;
}

/** The reason why a field in a GraphQL response is null, along with the path of the field. */
interface AbsenceHint {
  readonly path: ReadonlyArray<string | number>;
  readonly message: string;
}

/** A scope, along with the loaders of one request. */
export interface Context extends Scope {
  readonly load: Loaders;
  readonly operations: DocumentOperations;
  /** The reason why the first null root field of a query is null. The REST interface responds with this error. */
  absence: AppError | undefined;
  /** The reasons why fields are null, for an operation that was sent to /graphql; undefined for REST. */
  hints: AbsenceHint[] | undefined;
  /** Replaces the loaders with new ones after a mutation, so that later reads see its changes. */
  reload(): void;
}

// `reload` reassigns `load`. A getter in the object literal would give each context its own hidden class, which would
// keep the context, and everything that it refers to, in memory until a full garbage collection.
export function createContext(scope: Scope, operations: DocumentOperations): Context {
  const reload = (): void => {
    context.load = createLoaders(scope);
    scope.memory?.forget();
  };
  const context = Object.assign(scope, {
    load: createLoaders(scope),
    operations,
    absence: undefined,
    hints: undefined,
    reload,
  });
  return context;
}
