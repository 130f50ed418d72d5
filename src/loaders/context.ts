import type { AppError } from '../errors.ts';
import type { Scope } from '../scope.ts';
import { createLoaders, type Loaders } from './index.ts';

/** The name of an operation or a chain, and the parameters to call it with (§4.7). */
export interface NamedOperation {
  readonly name: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Runs operations on documents on behalf of layers that cannot import operations. */
export interface DocumentOperations {
  /** Checks a call before it runs on many documents. @throws Invalid for a fault that every document would cause */
  check(context: Context, operation: NamedOperation): void;
  run(context: Context, document: string, operation: NamedOperation): Promise<unknown>;
}

/** The reason why a field of a GraphQL operation is null, and the path of the field in the answer. */
interface AbsenceHint {
  readonly path: ReadonlyArray<string | number>;
  readonly message: string;
}

/** A scope with the loaders of one request. */
export interface Context extends Scope {
  readonly load: Loaders;
  readonly operations: DocumentOperations;
  /** The reason why the first null root field of a query is null. REST answers with this error. */
  absence: AppError | undefined;
  /** The reasons of all null fields of an operation that came through /graphql; undefined for REST. */
  hints: AbsenceHint[] | undefined;
  /** Replaces the loaders by empty ones after a mutation, so that later reads see its changes. */
  reload(): void;
}

// `reload` assigns `load` anew. A getter in the object literal would give each context a hidden class of its own, which
// keeps the context, and everything that it refers to, in memory until a full garbage collection.
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
