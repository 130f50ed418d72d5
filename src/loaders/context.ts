import type { AppError } from '../errors.ts';
import type { Scope } from '../scope.ts';
import { createLoaders, type Loaders } from './index.ts';

/** An operation or a chain by its name, and its parameters (§4.7). */
export interface NamedOperation {
  readonly name: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** What runs operations on documents for the layers below them. */
export interface DocumentOperations {
  /** @throws Invalid what every document would be refused with */
  check(context: Context, operation: NamedOperation): void;
  run(context: Context, document: string, operation: NamedOperation): Promise<unknown>;
}

/** Why a field of a client's operation is null. */
interface AbsenceHint {
  readonly path: ReadonlyArray<string | number>;
  readonly message: string;
}

export interface Context extends Scope {
  readonly load: Loaders;
  readonly operations: DocumentOperations;
  /** Why the first field of a query is null that was asked for something absent; REST answers it. */
  absence: AppError | undefined;
  /** What was absent, for an operation from /graphql; undefined for one of REST. */
  hints: AbsenceHint[] | undefined;
  reload(): void;
}

// A getter in the literal would give each context a hidden class of its own, which keeps it, and all that it
// reaches, until a full collection of garbage.
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
