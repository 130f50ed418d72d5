import type { Context } from '../loaders/context.ts';
import type { Permission } from '../security/permissions.ts';
import type { Principal } from '../security/principal.ts';
import type { LockOptions } from '../store/row-locks/lock-with-ancestors.ts';
import type { Call } from './call.ts';
import type { CallExample } from './call-example.ts';
import type { InputKind, Inputs, Outputs } from './kinds.ts';
import type { Params, ParamValues } from './params/param.ts';

/** The kinds of input that chains, and operations that run others, accept. */
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
  /** Older names by which clients can still call the operation. */
  readonly aliases?: readonly string[];
  readonly label: string;
  readonly category: string;
  readonly description: string;
  /** Absent for contributed chains. */
  readonly example?: CallExample;
  /** Each mutation runs in one transaction. */
  readonly kind: 'query' | 'mutation';
  /** Other users get a 404, and listings omit the operation. */
  readonly isForAdministrators?: true;
  /**
   * Set if the operation may need an external program to convert a file. Without that program, calls get a
   * 501.
   */
  readonly needsPrograms?: true;
  /** Set if the operation is recognized but not implemented, so that calls get a 501. */
  readonly isNotServed?: true;
  /**
   * Set if the operation can wait for background work. Background work itself must not call it, or both could
   * wait for each other.
   */
  readonly waits?: true;
  /** The accepted kinds of input. If `void` is the only one, any input is ignored. */
  readonly takes: readonly Takes[];
  /** The permission that the caller needs on each input document. For versions, `Read` is ReadVersion. */
  readonly needs?: Permission;
  /**
   * Set if the operation also accepts a list of documents: `run` is called for each, and the output is a
   * list.
   */
  readonly isForEach?: true;
  /**
   * Additional documents and folders to lock before a mutation processes a list. They are those that `run`
   * locks, except the documents of the list. All locks are FOR UPDATE, even on folders in which documents are
   * only created, so calls whose lists name the same folders wait for each other instead of deadlocking.
   */
  locks?(params: ParamValues<Of>): Omit<LockOptions, 'mode'>;
  /**
   * Set if `run` maps a list to a list of the same order. For a single input it then returns a single output.
   */
  readonly isOneForOne?: true;
  readonly gives: Gives;
  readonly params: Of;
  /** The kinds of input and output in listings; derived from `takes` and `gives` if absent. */
  readonly signature?: readonly string[];
  /**
   * For an operation on blobs: the parameter that receives the document in the address of the call (`@op`),
   * or the `currentDocument` of its context.
   */
  readonly documentParam?: keyof Of & string;
  /**
   * Executes the operation. The output is sent to the caller, so documents in it must come from the loaders
   * of the context, which check permissions, or be written by `run`. Of the latter, only the properties that
   * the caller may read are sent.
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

/**
 * Defines an operation. The types ensure that `run` gets the declared kinds of input and the declared
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

/** Defines a mutation of one document, which it returns. The documents of a list are processed one by one. */
export const documentMutation = <Of extends Params = Record<never, never>>(
  definition: Omit<Definition<Of, 'document', 'document'>, Shape>,
): Operation =>
  operation({ ...definition, kind: 'mutation', takes: ['document'], isForEach: true, gives: 'document' });

/** Defines a mutation that processes several documents at once and returns them in the same order. */
export const documentsMutation = <Of extends Params = Record<never, never>>(
  definition: Omit<Definition<Of, 'documents', 'documents'>, Shape>,
): Operation =>
  operation({ ...definition, kind: 'mutation', takes: ['documents'], isOneForOne: true, gives: 'documents' });

/** Whether the user can call an operation and see it in listings. */
export const isAvailableTo = (
  { isForAdministrators }: Pick<Operation, 'isForAdministrators'>,
  { isAdministrator }: Pick<Principal, 'isAdministrator'>,
): boolean => isAdministrator || !isForAdministrators;

/** Whether an input that the operation does not accept is ignored instead of refused. */
export const ignoresOthers = ({ takes }: Pick<Operation, 'takes'>): boolean =>
  anyInput.every((kind) => takes.includes(kind)) || takes.every((kind) => kind === 'void');

export const takesBlobs = ({ takes }: Pick<Operation, 'takes'>): boolean => takes.includes('bloblist');

/** The operation's field in the GraphQL schema; `Document.Create` becomes `documentCreate`. */
export const operationFieldName = ({ id }: Pick<Operation, 'id'>): string =>
  id.charAt(0).toLowerCase() + id.slice(1).replace(/\W+(\w?)/g, (_, letter: string) => letter.toUpperCase());

/** A parameter's name as a GraphQL argument, which consists of letters, digits and `_`. */
export const argumentName = (param: string): string => param.replace(/\W/g, '_');
