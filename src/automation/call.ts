import type { DocumentsPage } from '../loaders/search/documents-page.ts';
import type { StoredBlob } from '../model/values/stored.ts';
import type { InputKind, Inputs, OperationOutcome } from './kinds.ts';

/** What an operation works on: what a client named, or what the step before gave. */
export type KnownInput =
  | { [Kind in InputKind]: { readonly kind: Kind; readonly value: Inputs[Kind] } }[InputKind]
  /** A page of a search, whose other pages can be found. */
  | {
      readonly kind: 'documents';
      readonly value: Inputs['documents'];
      readonly page: DocumentsPage;
    }
  /** A list of one blob that is answered as a blob. */
  | { readonly kind: 'bloblist'; readonly value: readonly StoredBlob[]; readonly isSingle: true }
  /** Not the input of any operation. */
  | { readonly kind: 'other'; readonly value: OperationOutcome };

/** Stands for documents or blobs among JSON. It is a class, so that no JSON of a client passes for one. */
export class Held {
  readonly input: KnownInput;
  constructor(input: KnownInput) {
    this.input = input;
  }
}

/** What is left to a call and all that it calls. */
interface Allowance {
  runs: number;
  /** What `runs` began with. */
  readonly maxRuns: number;
  /** Of the values of expressions. */
  characters: number;
}

/** The place of an operation within a call: alone, or in a chain (docs/automation.md). */
export interface CallState {
  readonly input: KnownInput;
  /** JSON, or what is held. */
  readonly variables: Map<string, unknown>;
  /** Those of the chain. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly stack: KnownInput[];
  readonly depth: number;
  readonly left: Allowance;
}

export interface Call extends CallState {
  with(changes: Partial<CallState>): Call;
  /** @throws NotFound when there is no such operation or chain for the caller */
  requireOperation(name: string): void;
  /**
   * Runs another operation or chain on the input of this call, after the expressions in its parameters.
   * @returns undefined where it takes and gives nothing: the input remains what it was.
   */
  run(name: string, params: Readonly<Record<string, unknown>>): Promise<OperationOutcome | undefined>;
}
