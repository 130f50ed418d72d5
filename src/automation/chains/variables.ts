import { Invalid } from '../../errors.ts';
import type { DocumentReference } from '../../model/document-reference.ts';
import type { StoredBlob } from '../../model/values/stored.ts';
import { type CallState, InputValue } from '../call.ts';
import { referenceTo } from '../documents/document-at.ts';
import { reference, splitReferences } from '../params/kinds.ts';

/**
 * The maximum number of variables. It is limited because an operation that runs once per list item can copy all
 * variables for each item.
 */
const maxVariables = 1000;

/** @throws Invalid if there are too many variables */
export function requireFewVariables(count: number): void {
  if (count > maxVariables) throw new Invalid(`There must be at most ${maxVariables} variables.`);
}

/** @throws Invalid if there are too many variables */
export function setVariable({ variables }: CallState, name: string, value: unknown): void {
  variables.set(name, value);
  requireFewVariables(variables.size);
}

/** @throws Invalid if the variable does not exist */
export function variableOf({ variables }: CallState, name: string): unknown {
  if (!variables.has(name)) throw new Invalid(`There is no variable ${name.slice(0, 80)}.`);
  return variables.get(name);
}

/**
 * Returns the documents to which a value refers.
 * @throws Invalid if it does not refer to any document
 */
export function documentsIn(name: string, value: unknown): readonly DocumentReference[] {
  if (Array.isArray(value)) return value.flatMap((item) => documentsIn(name, item));
  if (value instanceof InputValue) {
    const { input } = value;
    if (input.kind === 'document') return [input.value];
    if (input.kind === 'documents') return input.value;
  } else {
    const one = reference.read.safeParse(value);
    const named = one.success ? [one.data] : [];
    const names = typeof value === 'string' ? splitReferences(value) : named;
    if (names.length > 0) return names.map(referenceTo);
  }
  throw new Invalid(`${name.slice(0, 80)} does not contain a document.`);
}

/**
 * Returns the blobs in a variable.
 * @throws Invalid if the variable contains no blob
 */
export function blobsIn(name: string, value: unknown): readonly StoredBlob[] {
  if (value instanceof InputValue && value.input.kind === 'bloblist') return value.input.value;
  throw new Invalid(`${name.slice(0, 80)} does not contain a file.`);
}

/**
 * Returns the items of a list, which are values, documents or blobs.
 * @throws Invalid if the value is not a list
 */
export function itemsOf(name: string, value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  const known = value instanceof InputValue ? value.input : undefined;
  if (known?.kind === 'document') return [value];
  if (known?.kind === 'documents')
    return known.value.map((document) => new InputValue({ kind: 'document', value: document }));
  if (known?.kind === 'bloblist')
    return known.value.map((blob) => new InputValue({ kind: 'bloblist', value: [blob], isSingle: true }));
  throw new Invalid(`${name.slice(0, 80)} is not a list.`);
}
