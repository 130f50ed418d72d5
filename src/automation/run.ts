import type { Context } from '../context.ts';
import { BadReference, Invalid, NotFound } from '../errors.ts';
import { asSeen } from '../loaders/access.ts';
import type { DocumentList, DocumentRow } from '../loaders/document-row.ts';
import { holdInOrder } from '../store/hold-in-order.ts';
import type { DocumentReference } from '../store/lock-document.ts';
import { blobsOfUpload, type GivenUpload } from '../store/uploaded-blobs.ts';
import { blobsOf, type GivenBlob } from './blobs-of.ts';
import { referenceTo } from './document-at.ts';
import {
  aloneOf,
  type InputKind,
  type Inputs,
  isFor,
  listOf,
  type Operation,
  type OutputKind,
} from './operation.ts';
import { type Params, type ParamValues, readParams } from './params.ts';

/** What an operation is given to work on: at most one of these. A document is named by its id or its path. */
export interface GivenInput {
  readonly document?: string | null | undefined;
  readonly documents?: readonly string[] | null | undefined;
  readonly text?: string | null | undefined;
  /** Of the blob store. */
  readonly blobs?: readonly GivenBlob[] | null | undefined;
  /** Of a batch of the caller: a file of it, or all of them. */
  readonly upload?: GivenUpload | null | undefined;
}

/** An answer and what it is. */
export interface Result {
  readonly kind: OutputKind;
  readonly value: unknown;
}

/** Documents, or blobs, that one call may work on. */
const most = 1000;

type Given = { [Kind in InputKind]: { kind: Kind; value: Inputs[Kind] } }[InputKind];

/** @throws Invalid when more is given than one thing, or a blob that is not here. */
async function onlyOne(context: Context, input: GivenInput): Promise<Given> {
  const { document, documents, text, blobs, upload } = input;
  const given: Given[] = [
    ...(typeof document === 'string' ? [{ kind: 'document' as const, value: referenceTo(document) }] : []),
    ...(documents ? [{ kind: 'documents' as const, value: documents.map(referenceTo) }] : []),
    ...(typeof text === 'string' ? [{ kind: 'string' as const, value: text }] : []),
    ...(blobs?.length ? [{ kind: 'bloblist' as const, value: [] }] : []),
    ...(upload ? [{ kind: 'bloblist' as const, value: [] }] : []),
  ];
  const [first, second] = given;
  if (second) throw new Invalid('input: give one thing, not several');
  if (upload) return { kind: 'bloblist', value: await blobsOfUpload(context, upload) };
  if (blobs && first?.kind === 'bloblist') return { kind: 'bloblist', value: await blobsOf(context, blobs) };
  return first ?? { kind: 'void', value: null };
}

/** What the operation works on: one thing, or each of a list. @throws Invalid when it takes nothing of the kind. */
async function inputFor(
  context: Context,
  { id, takes, isForEach }: Operation,
  input: GivenInput,
): Promise<{ one: unknown } | { each: readonly DocumentReference[] }> {
  for (const [kind, { length = 0 } = {}] of Object.entries({
    documents: input.documents ?? [],
    blobs: input.blobs ?? [],
  }))
    if (length > most) throw new Invalid(`input: ${length} ${kind}, at most ${most}`);
  const given = await onlyOne(context, input);
  if (takes.includes(given.kind)) return { one: given.value };
  if (given.kind === 'documents' && isForEach) return { each: given.value };
  if (given.kind === 'document' && takes.includes('documents')) return { one: [given.value] };
  if (takes.includes('void')) return { one: null };
  const [wanted, found] = [takes.join(' or '), given.kind === 'void' ? 'nothing' : given.kind];
  throw new Invalid(`input: ${id} takes ${wanted}, not ${found}`);
}

/** Written documents are shown as far as the caller may read them. */
async function shown({ load }: Context, { kind, value }: Result): Promise<Result> {
  if (value === null) return { kind: 'void', value };
  if (kind === 'document') return { kind, value: await asSeen(load.access, value as DocumentRow) };
  if (kind !== 'documents') return { kind, value };
  const list = value as DocumentList;
  return {
    kind,
    value: { ...list, entries: await Promise.all(list.entries.map((row) => asSeen(load.access, row))) },
  };
}

/**
 * All at once where they read, so that the reads are joined. Where they write, one after the other, and all are found
 * and held before: what happens to one changes no reference to another, one named twice is worked on once, and two calls
 * with the same documents never wait in a circle, whatever the order of their lists.
 * @throws NotFound, and whatever the work on one of them throws.
 */
async function runEach(
  { kind, holds }: Operation,
  context: Context,
  { references, values }: { references: readonly DocumentReference[]; values: ParamValues<Params> },
  one: (input: DocumentReference) => Promise<unknown>,
): Promise<unknown[]> {
  if (kind === 'query' || references.length < 2) return Promise.all(references.map(one));
  const { documents } = await holdInOrder(context, references, holds?.(values));
  const answers: unknown[] = [];
  for (const id of new Set(documents.map((row) => row.id))) answers.push(await one({ id }));
  return answers;
}

/** What a parameter names, and is missing or taken, is a fault of the parameter. */
function asParameter(error: unknown): never {
  throw error instanceof BadReference ? new Invalid(error.message, { cause: error }) : error;
}

/**
 * Does an operation.
 * @param params by name, as text or JSON.
 * @throws NotFound when it is not there for the caller; Invalid when it does not take the input or the parameters; and whatever the operation throws.
 */
export async function runOperation(
  operation: Operation,
  context: Context,
  { input, params }: { input: GivenInput; params: Readonly<Record<string, unknown>> },
): Promise<Result> {
  const { id, gives } = operation;
  if (!isFor(operation, context.user)) throw new NotFound(`there is no operation ${id}`);
  const values = readParams(operation, params);
  const on = await inputFor(context, operation, input);
  const work = (one: unknown) => operation.run(context, one as never, values).catch(asParameter);
  if ('one' in on) {
    const value = await work(on.one);
    const isAlone =
      operation.isOneForOne &&
      (typeof input.document === 'string' ||
        input.blobs?.length === 1 ||
        typeof input.upload?.file === 'string');
    if (!isAlone) return shown(context, { kind: gives, value });
    const [alone] = gives === 'documents' ? (value as DocumentList).entries : (value as readonly unknown[]);
    return shown(context, { kind: aloneOf(gives), value: alone ?? null });
  }
  const given = { references: on.each, values };
  const answers = (await runEach(operation, context, given, work)).filter((answer) => answer !== null);
  if (gives === 'void') return { kind: 'void', value: null };
  const value = gives === 'document' ? { entries: answers } : answers;
  return shown(context, { kind: listOf[gives], value });
}
