import { BadReference, Invalid, NotFound } from '../errors.ts';
import { redactUnreadable } from '../loaders/acls/access.ts';
import type { Context } from '../loaders/context.ts';
import type { DocumentListShape, DocumentRow } from '../loaders/documents/document-row.ts';
import type { DocumentReference } from '../model/document-reference.ts';
import type { UserJson } from '../store/authorities/users.ts';
import { lockWithAncestors } from '../store/row-locks/lock-with-ancestors.ts';
import { blobsOfUpload, type UploadReference } from '../store/uploads/uploaded-blobs.ts';
import { blobsByDigest, type GivenBlob } from './blobs/by-digest.ts';
import { referenceTo } from './documents/document-at.ts';
import { type InputKind, type Inputs, isAvailableTo, type Operation, type OutputKind } from './operation.ts';
import { itemKindOf, listKindOf } from './output-kinds.ts';
import type { Params, ParamValues } from './params/param.ts';
import { readParams } from './params/read-params.ts';

/** At most one of these. Documents are named by their ids or paths. */
export interface GivenInput {
  readonly document?: string | null | undefined;
  readonly documents?: readonly string[] | null | undefined;
  readonly text?: string | null | undefined;
  readonly user?: UserJson | null | undefined;
  readonly blobs?: readonly GivenBlob[] | null | undefined;
  readonly upload?: UploadReference | null | undefined;
}

export interface OperationOutcome {
  readonly kind: OutputKind;
  readonly value: unknown;
}

/** Documents, or blobs, in the input of one call. */
const maxItems = 1000;

type KnownInput = { [Kind in InputKind]: { kind: Kind; value: Inputs[Kind] } }[InputKind];

/** @throws Invalid on more than one input, too many items, and a blob that the blob store does not have. */
async function readInput(context: Context, input: GivenInput): Promise<KnownInput> {
  const { document, documents, text, user, blobs, upload } = input;
  for (const [kind, { length = 0 } = {}] of Object.entries({
    documents: documents ?? [],
    blobs: blobs ?? [],
  }))
    if (length > maxItems) throw new Invalid(`input: ${length} ${kind}, at most ${maxItems}`);
  const given = [document, documents, text, user, blobs?.length ? blobs : null, upload];
  if (given.filter((each) => (each ?? null) !== null).length > 1)
    throw new Invalid('input: give one thing, not several');
  if (typeof document === 'string') return { kind: 'document', value: referenceTo(document) };
  if (documents) return { kind: 'documents', value: documents.map(referenceTo) };
  if (typeof text === 'string') return { kind: 'string', value: text };
  if (user) return { kind: 'user', value: user };
  if (upload) return { kind: 'bloblist', value: await blobsOfUpload(context, upload) };
  if (blobs?.length) return { kind: 'bloblist', value: await blobsByDigest(context, blobs) };
  return { kind: 'void', value: null };
}

/** The input of one call of `run`, or of a call for each. @throws Invalid on a kind that is not accepted. */
async function inputFor(
  context: Context,
  { id, takes, isForEach }: Operation,
  input: GivenInput,
): Promise<{ single: unknown } | { each: readonly DocumentReference[] }> {
  const { kind, value } = await readInput(context, input);
  if (takes.includes(kind)) return { single: value };
  if (kind === 'documents' && isForEach) return { each: value };
  if (kind === 'document' && takes.includes('documents')) return { single: [value] };
  if (takes.includes('void')) return { single: null };
  throw new Invalid(`input: ${id} takes ${takes.join(' or ')}, not ${kind === 'void' ? 'nothing' : kind}`);
}

/** Callers may write documents that they may not read. */
async function redacted({ load }: Context, { kind, value }: OperationOutcome): Promise<OperationOutcome> {
  if (value === null) return { kind: 'void', value };
  if (kind === 'document') return { kind, value: await redactUnreadable(load.access, value as DocumentRow) };
  if (kind !== 'documents') return { kind, value };
  const list = value as DocumentListShape;
  const entries = await Promise.all(list.entries.map((row) => redactUnreadable(load.access, row)));
  return { kind, value: { ...list, entries } };
}

// Queries run concurrently, so that their reads are batched. Mutations run one after the other. All documents
// are found and locked before the first mutation: it cannot invalidate the references to others, a document
// that is named twice is worked on once, and calls with the same documents in another order do not deadlock.
async function runEach(
  { kind, locks }: Operation,
  context: Context,
  { references, values }: { references: readonly DocumentReference[]; values: ParamValues<Params> },
  runOne: (input: DocumentReference) => Promise<unknown>,
): Promise<unknown[]> {
  if (kind === 'query' || references.length < 2) return Promise.all(references.map(runOne));
  const { documents } = await lockWithAncestors(context, references, locks?.(values));
  const outputs: unknown[] = [];
  for (const id of new Set(documents.map((row) => row.id))) outputs.push(await runOne({ id }));
  return outputs;
}

/** A reference that is missing or taken was named by a parameter: the parameter is invalid. */
function invalidParameter(error: unknown): never {
  throw error instanceof BadReference ? new Invalid(error.message, { cause: error }) : error;
}

/**
 * @param params by name, as JSON or as the text of a form.
 * @throws NotFound when the operation is not available to the caller, Invalid on an unsuitable input or
 * parameter, and all that the operation throws.
 */
export async function runOperation(
  operation: Operation,
  context: Context,
  { input, params }: { input: GivenInput; params: Readonly<Record<string, unknown>> },
): Promise<OperationOutcome> {
  const { id, gives, isOneForOne } = operation;
  if (!isAvailableTo(operation, context.user)) throw new NotFound(`there is no operation ${id}`);
  const values = readParams(operation, params);
  const known = await inputFor(context, operation, input);
  const run = (one: unknown) => operation.run(context, one as never, values).catch(invalidParameter);
  if ('each' in known) {
    const given = { references: known.each, values };
    const outputs = (await runEach(operation, context, given, run)).filter((output) => output !== null);
    if (gives === 'void') return { kind: 'void', value: null };
    const value = gives === 'document' ? { entries: outputs } : outputs;
    return redacted(context, { kind: listKindOf(gives), value });
  }
  const value = await run(known.single);
  const isSingle =
    typeof input.document === 'string' || input.blobs?.length === 1 || typeof input.upload?.file === 'string';
  if (!isOneForOne || !isSingle) return redacted(context, { kind: gives, value });
  const [item = null] =
    gives === 'documents' ? (value as DocumentListShape).entries : (value as readonly unknown[]);
  return redacted(context, { kind: itemKindOf(gives), value: item });
}
