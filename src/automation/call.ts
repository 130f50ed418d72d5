import type { DocumentsPage } from '../loaders/search/documents-page.ts';
import type { StoredBlob } from '../model/values/stored.ts';
import type { InputKind, Inputs, OperationOutcome } from './kinds.ts';

/** The input of an operation: what the client sent, or the output of the previous step of a chain. */
export type KnownInput =
  | { [Kind in InputKind]: { readonly kind: Kind; readonly value: Inputs[Kind] } }[InputKind]
  /** One page of search results, together with a way to read the other pages. */
  | {
      readonly kind: 'documents';
      readonly value: Inputs['documents'];
      readonly page: DocumentsPage;
    }
  /**
   * Set if the list consists of one blob because the input was a single blob. In that case, the response is also a
   * single blob.
   */
  | { readonly kind: 'bloblist'; readonly value: readonly StoredBlob[]; readonly isSingle: true }
  /** An output that no operation accepts as its input. */
  | { readonly kind: 'other'; readonly value: OperationOutcome };

/**
 * Documents or blobs that are nested in JSON values. This is a class so that JSON from a client cannot be mistaken for
 * an instance.
 */
export class InputValue {
  readonly input: KnownInput;
  constructor(input: KnownInput) {
    this.input = input;
  }
}

/** The remaining budget of a call, which is shared by all operations that the call runs. */
interface Allowance {
  runs: number;
  /** The initial value of `runs`. */
  readonly maxRuns: number;
  /** The number of characters that are left for the values of expressions. */
  characters: number;
}

/** The state of an operation that runs on its own or as a step of a chain (docs/automation.md). */
export interface CallState {
  readonly input: KnownInput;
  /** The variables. Each value is JSON or an `InputValue`. */
  readonly variables: Map<string, unknown>;
  /** The parameters of the chain. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly stack: KnownInput[];
  readonly depth: number;
  readonly left: Allowance;
}

export interface Call extends CallState {
  with(changes: Partial<CallState>): Call;
  /** @throws NotFound if the operation or chain does not exist or is hidden from the caller */
  requireOperation(name: string): void;
  /**
   * Evaluates the expressions in the parameters, then runs another operation or chain on the input of this call.
   * @returns undefined if the operation has neither input nor output, in which case the next step gets the same input
   */
  run(name: string, params: Readonly<Record<string, unknown>>): Promise<OperationOutcome | undefined>;
}
