import type { Context } from '../loaders/context.ts';
import type { Permission } from '../security/permissions.ts';
import type { Principal } from '../security/principal.ts';
import type { LockOptions } from '../store/row-locks/lock-with-ancestors.ts';
import type { Call } from './call.ts';
import type { CallExample } from './call-example.ts';
import type { InputKind, Inputs, Outputs } from './kinds.ts';
import type { Params, ParamValues } from './params/param.ts';

/** The kinds of input accepted by chains and by operations that run other operations. */
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
  /** Older names that clients can still use to call the operation. */
  readonly aliases?: readonly string[];
  readonly label: string;
  readonly category: string;
  readonly description: string;
  /** An example of a call; absent for chains defined by a contribution. */
  readonly example?: CallExample;
  /** Mutations run in a transaction. */
  readonly kind: 'query' | 'mutation';
  /** Set if only administrators can call the operation. Other users get status 404, and their listings omit it. */
  readonly isForAdministrators?: true;
  /**
   * Set if the operation may need an external program to convert a file. If the program is not installed, the response
   * has status 501.
   */
  readonly needsPrograms?: true;
  /** Set if the operation is known but not implemented, so that the response has status 501. */
  readonly isNotServed?: true;
  /**
   * Set if the operation can wait for background work. Background work must not call such an operation, because the two
   * could end up waiting for each other.
   */
  readonly waits?: true;
  /** The kinds of input that the operation accepts. If `void` is the only kind, all input is ignored. */
  readonly takes: readonly Takes[];
  /**
   * The permission that the caller needs on each input document. If the document is a version, `Read` means
   * ReadVersion.
   */
  readonly needs?: Permission;
  /**
   * Set if the operation also accepts a list of documents: `run` is called for each document, and the output is a
   * list.
   */
  readonly isForEach?: true;
  /**
   * Returns the documents and folders that `run` locks in addition to the documents in the list. They are locked before
   * a mutation processes a list. The lock mode is FOR UPDATE, even if documents are only created in a folder, so that
   * calls that use the same folders wait for each other instead of causing a deadlock.
   */
  locks?(params: ParamValues<Of>): Omit<LockOptions, 'mode'>;
  /** Set if `run` maps a list to a list in the same order. If the input is a single item, so is the output. */
  readonly isOneForOne?: true;
  readonly gives: Gives;
  readonly params: Of;
  /** The kinds of input and output that listings show; derived from `takes` and `gives` if absent. */
  readonly signature?: readonly string[];
  /**
   * The name of the parameter that receives the document given in the URL of the call (`@op`) or as `currentDocument`
   * in the context. Only for operations that take blobs as input.
   */
  readonly documentParam?: keyof Of & string;
  /**
   * Executes the operation. The output is sent to the caller, so each document in it must either come from the loaders
   * of the context, which check permissions, or have been written by `run`. For documents written by `run`, only the
   * properties that the caller can read are sent.
   * @returns null if there is no output
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

/**
 * Defines an operation. The types ensure that `run` is called with the declared kinds of input and the declared
 * parameters.
 */
export const operation = <
  Gives extends keyof Outputs,
  Takes extends InputKind = 'void',
  Of extends Params = Record<never, never>,
>(
  definition: Definition<Of, Takes, Gives>,
): Operation => ({ ...defaults, ...definition }) as unknown as Operation;

type Shape = 'kind' | 'takes' | 'gives' | 'isForEach' | 'isOneForOne';

/** Defines a query that finds one document for each input document. */
export const documentQuery = <Of extends Params = Record<never, never>>(
  definition: Omit<Definition<Of, 'document', 'document'>, Shape>,
): Operation =>
  operation({ needs: 'Read', ...definition, takes: ['document'], isForEach: true, gives: 'document' });

/** Defines a mutation that changes one document and returns it. The documents of a list are processed one by one. */
export const documentMutation = <Of extends Params = Record<never, never>>(
  definition: Omit<Definition<Of, 'document', 'document'>, Shape>,
): Operation =>
  operation({ ...definition, kind: 'mutation', takes: ['document'], isForEach: true, gives: 'document' });

/** Defines a mutation that processes several documents at once and returns them in the same order. */
export const documentsMutation = <Of extends Params = Record<never, never>>(
  definition: Omit<Definition<Of, 'documents', 'documents'>, Shape>,
): Operation =>
  operation({ ...definition, kind: 'mutation', takes: ['documents'], isOneForOne: true, gives: 'documents' });

/** Returns whether the user can call an operation and see it in listings. */
export const isAvailableTo = (
  { isForAdministrators }: Pick<Operation, 'isForAdministrators'>,
  { isAdministrator }: Pick<Principal, 'isAdministrator'>,
): boolean => isAdministrator || !isForAdministrators;

/** Returns whether input that the operation does not accept is ignored instead of rejected. */
export const ignoresOthers = ({ takes }: Pick<Operation, 'takes'>): boolean =>
  anyInput.every((kind) => takes.includes(kind)) || takes.every((kind) => kind === 'void');

export const takesBlobs = ({ takes }: Pick<Operation, 'takes'>): boolean => takes.includes('bloblist');

/** Returns the name of the operation's field in the GraphQL schema, such as `documentCreate` for `Document.Create`. */
export const operationFieldName = ({ id }: Pick<Operation, 'id'>): string =>
  id.charAt(0).toLowerCase() + id.slice(1).replace(/\W+(\w?)/g, (_, letter: string) => letter.toUpperCase());

/**
 * Converts the name of a parameter to the name of a GraphQL argument, which can only contain letters, digits and `_`.
 */
export const argumentName = (param: string): string => param.replace(/\W/g, '_');
