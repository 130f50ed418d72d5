import type { Meter } from '../db/meter.ts';
import type { Carried } from '../db/replicas/position.ts';
import type { DeferredRequest, IdempotentRequest, RequestOptions, Trial } from '../scope.ts';
import type { Principal } from '../security/principal.ts';
import type { AwaitedResponse } from '../services.ts';
import type { GraphqlOperation, OperationKind } from './operation.ts';

/** The caller of an operation and the circumstances of the call. */
export interface Caller {
  readonly user: Principal;
  readonly options: RequestOptions;
  readonly meter: Meter;
  readonly idempotentRequest?: IdempotentRequest | undefined;
  readonly response?: AwaitedResponse | undefined;
  /** The maximum number of bytes of the response. It is set if the response contains everything that the call reads. */
  readonly wholeAnswerLimit?: number | undefined;
  /** The replication position of the caller's last response. The call must not read an older state. */
  readonly carried?: Carried | undefined;
  /** The request for a background execution to run, if the call starts one. */
  readonly deferred?: DeferredRequest;
  /** Aborts the call: every further SQL statement is rejected with the reason of the signal. */
  readonly signal?: AbortSignal;
  /** Whether a query deletes the uploads that it uses, as a mutation does. */
  readonly endsUploads?: boolean | undefined;
  /** Set if the call is a trial run, whose changes are rolled back. */
  readonly trial?: Trial;
}

/**
 * Runs an operation in-process and returns its data.
 * @throws AppError the first error that a resolver threw.
 */
export type RunGraphql = (
  operation: GraphqlOperation,
  inputs: Readonly<Record<string, unknown>>,
) => Promise<Record<string, unknown>>;

/** Runs operations one after the other in one context. Operations of the kind `mutation` share one transaction. */
export type Run = <T>(
  caller: Caller,
  kind: OperationKind,
  work: (ask: RunGraphql) => Promise<T>,
) => Promise<T>;
