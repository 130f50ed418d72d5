import type { Context } from '../loaders/context.ts';
import type { Principal } from '../security/principal.ts';

/** How jobs do what callers have asked for, with their rights. */
export interface CallerRuns {
  /** Runs work as a user in a repository: in one transaction, or in none when it is a query. */
  readonly runAs: (
    user: Principal,
    repository: string,
  ) => <T>(kind: 'mutation' | 'query', work: (context: Context) => Promise<T>) => Promise<T>;
  /** Runs what an execution deferred, with its end. */
  readonly runCall: (
    execution: { readonly id: string; readonly call: unknown },
    user: Principal,
    signal: AbortSignal,
  ) => Promise<void>;
}
