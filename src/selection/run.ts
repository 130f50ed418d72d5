import type { Meter } from '../db/meter.ts';
import type { Carried } from '../db/replicas/position.ts';
import type { DeferredRequest, IdempotentRequest, RequestOptions, Trial } from '../scope.ts';
import type { Principal } from '../security/principal.ts';
import type { AwaitedResponse } from '../services.ts';
import type { GraphqlOperation, OperationKind } from './operation.ts';

/** The user who makes a call, and the context of the call. */
export interface Caller {
  readonly user: Principal;
  readonly options: RequestOptions;
  readonly meter: Meter;
  readonly idempotentRequest?: IdempotentRequest | undefined;
  readonly response?: AwaitedResponse | undefined;
  /** The maximum number of bytes of the response, if the response contains all that the call reads. */
  readonly wholeAnswerLimit?: number | undefined;
  /** The replication position that the caller has seen, as its last response reported it. */
  readonly carried?: Carried | undefined;
  /** The request that a background execution, which the call starts, will run. */
  readonly deferred?: DeferredRequest;
  /** Aborts the call: every further SQL statement fails with the reason of the signal. */
  readonly signal?: AbortSignal;
  /** Whether uploads that a query uses are deleted with it, as they are by a mutation. */
  readonly endsUploads?: boolean | undefined;
  /** Present if the call is only tried and its changes are rolled back. */
  readonly trial?: Trial;
}

/**
 * Runs an operation in-process and returns its data.
 * @throws AppError the first error that a resolver has thrown.
 */
export type RunGraphql = (
  operation: GraphqlOperation,
  inputs: Readonly<Record<string, unknown>>,
) => Promise<Record<string, unknown>>;

/** Runs operations one after the other in one context. For the kind `mutation` they run in one transaction. */
export type Run = <T>(
  caller: Caller,
  kind: OperationKind,
  work: (ask: RunGraphql) => Promise<T>,
) => Promise<T>;
