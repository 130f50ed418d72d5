import { Invalid } from '../errors.ts';
import type { BlobWithDocument } from '../loaders/blobs/blob-with-document.ts';
import type { Context } from '../loaders/context.ts';
import type { DocumentListShape, DocumentRow } from '../loaders/documents/document-row.ts';
import type { DocumentsPage } from '../loaders/search/documents-page.ts';
import type { DocumentReference } from '../model/document-reference.ts';
import type { StoredBlob } from '../model/values/stored.ts';
import type { UserJson } from '../store/authorities/users.ts';
import { blobsOfUpload, type UploadReference } from '../store/uploads/uploaded-blobs.ts';
import { type BlobValue, blobsByDigest } from './blobs/by-digest.ts';
import { storedBlob } from './blobs/stored-blob.ts';
import type { KnownInput } from './call.ts';
import { documentAt, referenceTo } from './documents/document-at.ts';
import { requireFew } from './few-items.ts';
import type { OperationOutcome } from './kinds.ts';
import { ignoresOthers, type Operation } from './operation.ts';

/** The input of a call; at most one field is set. Documents are given by id or path. */
export interface CallInput {
  readonly document?: string | null | undefined;
  readonly documents?: readonly string[] | null | undefined;
  readonly text?: string | null | undefined;
  readonly user?: UserJson | null | undefined;
  readonly blobs?: readonly BlobValue[] | null | undefined;
  readonly upload?: UploadReference | null | undefined;
}

export interface OperationCall {
  readonly input: CallInput;
  /**
   * Parameters by name, each as JSON or as the string from a form field. The value of a parameter can be an expression.
   */
  readonly params: Readonly<Record<string, unknown>>;
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
}

const nothing: KnownInput = { kind: 'void', value: null };

const blobInput = (value: readonly StoredBlob[], isSingle: boolean): KnownInput =>
  isSingle ? { kind: 'bloblist', value, isSingle } : { kind: 'bloblist', value };

/**
 * @throws Invalid if there is more than one input, if there are too many items, or if a blob is not in the blob store
 */
export async function readInput(context: Context, input: CallInput): Promise<KnownInput> {
  const { document, documents, text, user, blobs, upload } = input;
  requireFew('input', 'documents', documents ?? []);
  requireFew('input', 'blobs', blobs ?? []);
  const given = [document, documents, text, user, blobs?.length ? blobs : null, upload];
  if (given.filter((each) => (each ?? null) !== null).length > 1)
    throw new Invalid('input must contain only one of document, documents, text, user, blobs and upload.');
  if (typeof document === 'string') return { kind: 'document', value: referenceTo(document) };
  if (documents) return { kind: 'documents', value: documents.map(referenceTo) };
  if (typeof text === 'string') return { kind: 'string', value: text };
  if (user) return { kind: 'user', value: user };
  if (upload) return blobInput(await blobsOfUpload(context, upload), typeof upload.file === 'string');
  if (blobs?.length) return blobInput(await blobsByDigest(context, blobs), blobs.length === 1);
  return nothing;
}

/**
 * How `run` is called: once with the whole input, or once for each document. If `isItem` is true, the response is a
 * single item.
 */
type RunInput = { readonly single: unknown; readonly isItem: boolean } | { readonly each: References };

type References = readonly DocumentReference[];

/** @throws Invalid if the operation does not accept this kind of input */
export function inputFor(operation: Operation, known: KnownInput): RunInput {
  const { id, takes, isForEach } = operation;
  const { kind, value } = known;
  if (kind === 'documents' || kind === 'bloblist') requireFew('input', kind, value);
  if (kind !== 'other' && takes.includes(kind)) {
    const isItem = kind === 'document' || ('isSingle' in known && known.isSingle);
    return { single: value, isItem };
  }
  if (kind === 'documents' && isForEach) return { each: value };
  if (kind === 'document' && takes.includes('documents')) return { single: [value], isItem: true };
  // If the operation accepts documents, a string is interpreted as the id or path of a document.
  if (kind === 'string' && takes.some((each) => each === 'document' || each === 'documents'))
    return inputFor(operation, { kind: 'document', value: referenceTo(value) });
  if (ignoresOthers(operation)) return { single: null, isItem: false };
  const given = kind === 'void' ? 'nothing' : kind === 'other' ? value.kind : kind;
  throw new Invalid(`input: ${id} accepts ${takes.join(' or ')}, not ${given}.`);
}

export const referencesIn = ({ entries }: DocumentListShape): References => entries.map(({ id }) => ({ id }));

/** Converts the output of a step into the input of the next step. */
export async function inputOf(context: Context, outcome: OperationOutcome): Promise<KnownInput> {
  const { kind, value } = outcome;
  switch (kind) {
    case 'void':
      return nothing;
    case 'document':
      return { kind, value: { id: (value as DocumentRow).id } };
    case 'documents':
      return { kind, value: referencesIn(value as DocumentListShape) };
    case 'page': {
      const page = value as DocumentsPage;
      return { kind: 'documents', value: referencesIn(page), page };
    }
    case 'blob':
      return blobInput([await storedBlob(context, value as BlobWithDocument)], true);
    case 'bloblist': {
      const list = value as readonly BlobWithDocument[];
      return blobInput(await Promise.all(list.map((blob) => storedBlob(context, blob))), false);
    }
    case 'string':
      return { kind, value: String(value) };
    default:
      return { kind: 'other', value: outcome };
  }
}

/**
 * Returns the output of a chain that has left its input unchanged.
 * @throws NotFound, Forbidden
 */
export async function outcomeOfInput(context: Context, known: KnownInput): Promise<OperationOutcome> {
  switch (known.kind) {
    case 'document':
      return { kind: 'document', value: await documentAt(context, known.value) };
    case 'documents': {
      const entries = await Promise.all(known.value.map((each) => documentAt(context, each)));
      return { kind: 'documents', value: { entries } };
    }
    case 'bloblist':
      return 'isSingle' in known ? { kind: 'blob', value: known.value[0] } : known;
    case 'string':
      return known;
    case 'other':
      return known.value;
    default:
      return { kind: 'void', value: null };
  }
}
