import type { InputKind, OutputKind } from './kinds.ts';
import type { Operation } from './operation.ts';

export const listKindOf = (kind: Operation['gives']): OutputKind => {
  if (kind === 'void') return 'void';
  return kind === 'document' ? 'documents' : kind === 'blob' ? 'bloblist' : 'list';
};

/**
 * Returns the kind of the items in a list of documents or blobs.
 * @throws Error if the kind is not such a list
 */
export function itemKindOf(kind: InputKind | Operation['gives']): 'document' | 'blob' {
  if (kind === 'documents') return 'document';
  if (kind === 'bloblist') return 'blob';
  throw new Error(`${kind} is not a list of documents or blobs`);
}

export const outputKindsOf = ({ gives, isForEach, isOneForOne }: Operation): OutputKind[] => {
  if (gives === 'object') return ['void', ...(Object.keys(resultField) as OutputKind[])];
  if (isOneForOne) return [itemKindOf(gives), gives];
  return isForEach ? [...new Set([gives, listKindOf(gives)])] : [gives];
};

/** The fields of the GraphQL type `OperationResult` that contain each kind of output. */
export const resultField = {
  document: 'document',
  documents: 'documents',
  page: 'page',
  blob: 'blob',
  bloblist: 'blobs',
  user: 'user',
  recordSet: 'recordSet',
  logEntries: 'logEntries',
  json: 'json',
  string: 'value',
  boolean: 'value',
  number: 'value',
  date: 'value',
  list: 'value',
  map: 'value',
} as const satisfies Record<Exclude<OutputKind, 'void'>, string>;

/**
 * Returns the pairs of input and output kinds as a flat list, in the form that listings use: input, output, input,
 * output.
 */
export function signatureOf({ takes, gives, isForEach, isOneForOne, signature }: Operation): string[] {
  if (signature) return [...signature];
  if (isOneForOne)
    return takes.flatMap((kind) =>
      kind === 'void' ? [kind, kind] : [itemKindOf(kind), itemKindOf(gives), kind, gives],
    );
  const given = gives === 'page' ? 'documents' : gives;
  const pairs = takes.flatMap((kind) => [kind, given]);
  return isForEach ? [...pairs, 'documents', listKindOf(gives)] : pairs;
}
