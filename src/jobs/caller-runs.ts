import type { Context } from '../loaders/context.ts';
import type { Principal } from '../security/principal.ts';

/** Functions with which jobs act as a user, with that user's permissions. */
export interface CallerRuns {
  /**
   * Runs work as a user in a repository. Queries run outside a transaction; all other work runs inside one.
   */
  readonly runAs: (
    user: Principal,
    repository: string,
  ) => <T>(kind: 'mutation' | 'query', work: (context: Context) => Promise<T>) => Promise<T>;
  /**
   * Runs the call that an execution has deferred, and marks the execution as completed in the same transaction.
   */
  readonly runCall: (
    execution: { readonly id: string; readonly call: unknown },
    user: Principal,
    signal: AbortSignal,
  ) => Promise<void>;
}
