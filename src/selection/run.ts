import type { Meter } from '../db/meter.ts';
import type { Carried } from '../db/replicas/position.ts';
import type { DeferredRequest, IdempotentRequest, RequestOptions, Trial } from '../scope.ts';
import type { Principal } from '../security/principal.ts';
import type { AwaitedResponse } from '../services.ts';
import type { GraphqlOperation, OperationKind } from './operation.ts';

export interface Caller {
  readonly user: Principal;
  readonly options: RequestOptions;
  readonly meter: Meter;
  readonly idempotentRequest?: IdempotentRequest | undefined;
  readonly response?: AwaitedResponse | undefined;
  /** Bytes of the longest answer, where it shows all that the call reads. */
  readonly wholeAnswerLimit?: number | undefined;
  /** How far the caller has read and written, as its last answer said. */
  readonly carried?: Carried | undefined;
  /** What an execution that the caller begins is to do. */
  readonly deferred?: DeferredRequest;
  /** Once it is aborted, every further statement fails with its reason. */
  readonly signal?: AbortSignal;
  /** Whether uploads that a query has used end with it, as they do with a mutation. */
  readonly endsUploads?: boolean | undefined;
  /** Present where the call is undone. */
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

/** Runs operations in sequence over one context; `mutation` runs them in one transaction. */
export type Run = <T>(
  caller: Caller,
  kind: OperationKind,
  work: (ask: RunGraphql) => Promise<T>,
) => Promise<T>;
