import type { Context } from '../loaders/context.ts';
import type { Principal } from '../security/principal.ts';

/** The functions with which jobs work on behalf of users, with their permissions. */
export interface CallerRuns {
  /** Runs work as a user in a repository. A query runs outside a transaction, other kinds of work in one. */
  readonly runAs: (
    user: Principal,
    repository: string,
  ) => <T>(kind: 'mutation' | 'query', work: (context: Context) => Promise<T>) => Promise<T>;
  /** Runs the call that an execution deferred, and marks the execution as ended in the same transaction. */
  readonly runCall: (
    execution: { readonly id: string; readonly call: unknown },
    user: Principal,
    signal: AbortSignal,
  ) => Promise<void>;
}
