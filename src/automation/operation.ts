import type { Context } from '../context.ts';
import type { AuthorityRow } from '../loaders/authorities.ts';
import type { DocumentList, DocumentRow } from '../loaders/document-row.ts';
import type { HeldBlob } from '../loaders/held-blob.ts';
import type { LogEntryRow } from '../loaders/log-entries.ts';
import type { StoredBlob } from '../model/stored.ts';
import type { PageShape } from '../pages/page.ts';
import type { DocumentsPage } from '../pages/page-providers.ts';
import type { Principal } from '../scope.ts';
import type { Holding } from '../store/hold-in-order.ts';
import type { DocumentReference } from '../store/lock-document.ts';
import type { Params, ParamValues } from './params.ts';

/** What an operation can be given to work on. */
export interface Inputs {
  void: null;
  document: DocumentReference;
  documents: readonly DocumentReference[];
  string: string;
  /** Bytes that came with the call, and are in the blob store. */
  blob: StoredBlob;
  bloblist: readonly StoredBlob[];
}

/** What an operation can answer. */
export interface Outputs {
  void: null;
  document: DocumentRow;
  documents: DocumentList;
  page: DocumentsPage;
  blob: HeldBlob;
  bloblist: readonly HeldBlob[];
  user: AuthorityRow;
  logEntries: PageShape<LogEntryRow>;
  /** JSON as it is, without an entity around it. */
  json: unknown;
  string: string;
  boolean: boolean;
  number: number;
  /** A W3C date-time. */
  date: string;
  list: readonly unknown[];
  map: Readonly<Record<string, unknown>>;
}

export type InputKind = keyof Inputs;
export type OutputKind = keyof Outputs;

/** Something that clients can have done, by its name. */
export interface Operation<
  Of extends Params = Params,
  Takes extends InputKind = InputKind,
  Gives extends OutputKind = OutputKind,
> {
  /** `Document.Create` */
  readonly id: string;
  /** Older names, under which it is called just as well. */
  readonly aliases?: readonly string[];
  readonly label: string;
  readonly category: string;
  readonly description: string;
  /** Whether it only reads, or writes: then it is one transaction. */
  readonly kind: 'query' | 'mutation';
  /** Whether it is there for administrators alone: nobody else is told of it. */
  readonly isForAdministrators?: true;
  /** One of these; `void` takes no notice of what is given. */
  readonly takes: readonly Takes[];
  /** Whether a list of documents is worked on one by one, and answered by the list of answers. */
  readonly isForEach?: true;
  /**
   * What one that writes holds with the documents of a list, before it works on the first: the other documents, and the
   * folders, that the work on each of them holds too. These are held for UPDATE all, even those below which documents are
   * only created: lists of the same names would wait for each other's.
   */
  holds?(params: ParamValues<Of>): Omit<Holding, 'hold'>;
  /**
   * Whether one thing is answered for each that is given: `run` takes and gives lists, in the same order and all at once,
   * and what was given alone, be it a document or a blob, is answered alone.
   */
  readonly isOneForOne?: true;
  readonly gives: Gives;
  readonly params: Of;
  /**
   * Of one that takes blobs: the parameter for the document of an address (`@op`), which also is the `currentDocument` of
   * a call's context.
   */
  readonly place?: keyof Of & string;
  /**
   * Does it; null is no answer. What is answered may be shown to the caller: documents that were written are shown as
   * far as the caller may read them, others are read by the loaders of the context.
   */
  run(context: Context, input: Inputs[Takes], params: ParamValues<Of>): Promise<Outputs[Gives] | null>;
}

/** Describes an operation, with the types of its input, parameters and answer. */
export const operation = <Of extends Params, Takes extends InputKind, Gives extends OutputKind>(
  described: Operation<Of, Takes, Gives>,
): Operation => described as unknown as Operation;

/** Whether an operation is there for somebody. */
export const isFor = (
  { isForAdministrators }: Pick<Operation, 'isForAdministrators'>,
  { isAdministrator }: Pick<Principal, 'isAdministrator'>,
): boolean => isAdministrator || !isForAdministrators;

/** What a list of answers is. */
export const listOf: Readonly<Record<OutputKind, OutputKind>> = {
  ...{ void: 'void', document: 'documents', documents: 'list', page: 'list', blob: 'bloblist' },
  ...{
    bloblist: 'list',
    user: 'list',
    logEntries: 'list',
    json: 'list',
    string: 'list',
    boolean: 'list',
    number: 'list',
  },
  ...{ date: 'list', list: 'list', map: 'list' },
};

/** One of a list. */
const oneOf: Readonly<Partial<Record<InputKind | OutputKind, 'document' | 'blob'>>> = {
  ...{ documents: 'document', bloblist: 'blob' },
};

/** What one for one answers for one. @throws Error when there is no such thing. */
export function aloneOf(kind: InputKind | OutputKind): 'document' | 'blob' {
  const alone = oneOf[kind];
  if (!alone) throw new Error(`${kind} is no list of things that are there alone`);
  return alone;
}

/** Whether blobs can be given to an operation. */
export const takesBlobs = ({ takes }: Pick<Operation, 'takes'>): boolean =>
  takes.some((kind) => kind === 'blob' || kind === 'bloblist');

/** All that an operation may answer. */
export const outputsOf = ({ gives, isForEach, isOneForOne }: Operation): OutputKind[] => {
  if (isOneForOne) return [aloneOf(gives), gives];
  return isForEach ? [...new Set([gives, listOf[gives]])] : [gives];
};

/** Where an answer stands in the result that the schema has for all of them. */
export const resultField = {
  document: 'document',
  documents: 'documents',
  page: 'page',
  blob: 'blob',
  bloblist: 'blobs',
  user: 'user',
  logEntries: 'logEntries',
  json: 'json',
  string: 'value',
  boolean: 'value',
  number: 'value',
  date: 'value',
  list: 'value',
  map: 'value',
} as const satisfies Record<Exclude<OutputKind, 'void'>, string>;

/** The name of an operation's field in the schema: `Document.Create` is `documentCreate`. */
export const fieldName = ({ id }: Pick<Operation, 'id'>): string =>
  id.charAt(0).toLowerCase() + id.slice(1).replace(/\W+(\w?)/g, (_, letter: string) => letter.toUpperCase());

/** What comes in and what goes out, in turn, as clients read it. */
export function signatureOf({ takes, gives, isForEach, isOneForOne }: Operation): string[] {
  if (isOneForOne) return takes.flatMap((kind) => [aloneOf(kind), aloneOf(gives), kind, gives]);
  const pairs = takes.flatMap((kind) => [kind, gives]);
  return isForEach ? [...pairs, 'documents', listOf[gives]] : pairs;
}
