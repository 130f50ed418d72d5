import type { Context } from '../loaders/context.ts';
import type { Permission } from '../security/permissions.ts';
import type { Principal } from '../security/principal.ts';
import type { LockOptions } from '../store/row-locks/lock-with-ancestors.ts';
import type { Call } from './call.ts';
import type { CallExample } from './call-example.ts';
import type { InputKind, Inputs, Outputs } from './kinds.ts';
import type { Params, ParamValues } from './params/param.ts';

/** What a chain and the operations that run others may get. */
export const anyInput = [
  'document',
  'documents',
  'bloblist',
  'string',
  'user',
  'void',
] as const satisfies readonly InputKind[];

/** A function that clients call by its id (§4.7). */
export interface Operation<
  Of extends Params = Params,
  Takes extends InputKind = InputKind,
  Gives extends keyof Outputs = keyof Outputs,
> {
  readonly id: string;
  /** Older names, which clients may still call. */
  readonly aliases?: readonly string[];
  readonly label: string;
  readonly category: string;
  readonly description: string;
  /** Contributed chains have none. */
  readonly example?: CallExample;
  /** A mutation is one transaction. */
  readonly kind: 'query' | 'mutation';
  /** Calls by other users are 404, and listings leave it out. */
  readonly isForAdministrators?: true;
  /** It may need a program to convert a file; where that is not installed, calls are 501. */
  readonly needsPrograms?: true;
  /** Calls are 501. */
  readonly isNotServed?: true;
  /** It may wait for the work of others, which work that others wait for must not. */
  readonly waits?: true;
  /** The kinds of input it accepts; `void` alone ignores any input. */
  readonly takes: readonly Takes[];
  /** What the caller must be allowed to do with each input document; `Read` of a version is ReadVersion. */
  readonly needs?: Permission;
  /** Whether a list of documents is accepted too: `run` is called for each, and the outputs are a list. */
  readonly isForEach?: true;
  /**
   * What a mutation locks before it works on the first document of a list, in addition to the documents of
   * the list: the other documents and folders that `run` locks. All locks are FOR UPDATE, even on folders in
   * which documents are only created, so calls with lists that name the same folders wait for each other.
   */
  locks?(params: ParamValues<Of>): Omit<LockOptions, 'mode'>;
  /** Whether `run` maps a list to a list in the same order; a single input then has a single output. */
  readonly isOneForOne?: true;
  readonly gives: Gives;
  readonly params: Of;
  /** Computed from the kinds when absent. */
  readonly signature?: readonly string[];
  /**
   * Where blobs are the input: the parameter for the document in the address of the call (`@op`), or for
   * `currentDocument` in its context.
   */
  readonly documentParam?: keyof Of & string;
  /**
   * The caller sees whatever is returned: documents must come from the loaders of the context or be written
   * by `run`, of which only the properties that the caller may read are sent.
   * @returns null for no output
   */
  run(
    context: Context,
    input: Inputs[Takes],
    params: ParamValues<Of>,
    call: Call,
  ): Promise<Outputs[Gives] | null>;
}

type Defaulted = 'category' | 'kind' | 'takes' | 'params';

type Definition<Of extends Params, Takes extends InputKind, Gives extends keyof Outputs> = Omit<
  Operation<Of, Takes, Gives>,
  Defaulted
> &
  Partial<Pick<Operation<Of, Takes, Gives>, Defaulted>>;

const defaults = { category: 'Document', kind: 'query', takes: ['void'], params: {} } as const;

/** Checks the types: `run` gets the kinds of input and the parameters that are declared. */
export const operation = <
  Gives extends keyof Outputs,
  Takes extends InputKind = 'void',
  Of extends Params = Record<never, never>,
>(
  definition: Definition<Of, Takes, Gives>,
): Operation => ({ ...defaults, ...definition }) as unknown as Operation;

type Shape = 'kind' | 'takes' | 'gives' | 'isForEach' | 'isOneForOne';

/** Finds a document for the input document, and for each of a list. */
export const documentQuery = <Of extends Params = Record<never, never>>(
  definition: Omit<Definition<Of, 'document', 'document'>, Shape>,
): Operation =>
  operation({ needs: 'Read', ...definition, takes: ['document'], isForEach: true, gives: 'document' });

/** A mutation of a document that returns it; a list of documents is worked on one by one. */
export const documentMutation = <Of extends Params = Record<never, never>>(
  definition: Omit<Definition<Of, 'document', 'document'>, Shape>,
): Operation =>
  operation({ ...definition, kind: 'mutation', takes: ['document'], isForEach: true, gives: 'document' });

/** A mutation of several documents at once that returns them in the same order. */
export const documentsMutation = <Of extends Params = Record<never, never>>(
  definition: Omit<Definition<Of, 'documents', 'documents'>, Shape>,
): Operation =>
  operation({ ...definition, kind: 'mutation', takes: ['documents'], isOneForOne: true, gives: 'documents' });

/** Whether the user may call an operation, and see it listed. */
export const isAvailableTo = (
  { isForAdministrators }: Pick<Operation, 'isForAdministrators'>,
  { isAdministrator }: Pick<Principal, 'isAdministrator'>,
): boolean => isAdministrator || !isForAdministrators;

/** Whether an input of another kind is ignored, not refused. */
export const ignoresOthers = ({ takes }: Pick<Operation, 'takes'>): boolean =>
  anyInput.every((kind) => takes.includes(kind)) || takes.every((kind) => kind === 'void');

export const takesBlobs = ({ takes }: Pick<Operation, 'takes'>): boolean => takes.includes('bloblist');

/** The field of the GraphQL schema: `Document.Create` is `documentCreate`. */
export const operationFieldName = ({ id }: Pick<Operation, 'id'>): string =>
  id.charAt(0).toLowerCase() + id.slice(1).replace(/\W+(\w?)/g, (_, letter: string) => letter.toUpperCase());

/** A parameter as an argument of that field, whose names have letters, digits and `_` alone. */
export const argumentName = (param: string): string => param.replace(/\W/g, '_');
