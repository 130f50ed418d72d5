import { z } from 'zod';
import type { CallInput } from '../../automation/input.ts';
import { anyInput, type Operation } from '../../automation/operation.ts';
import { readParams } from '../../automation/params/read-params.ts';
import { Invalid } from '../../errors.ts';
import { anyObject } from '../../model/values/any-object.ts';
import { splitSentList } from '../../model/values/list-text.ts';
import { isStorableText } from '../../model/values/storable.ts';

import { type BodyReader, bodyReader } from '../request/body.ts';

const record = anyObject('must be an object').nullish();

const fault = (message: string) => new Invalid(`${message}.`, { field: 'input' });

type Taking = Pick<Operation, 'takes'>;

const entity = z.looseObject({ 'entity-type': z.string() });
const document = z.union([
  z.object({ uid: z.string() }).transform(({ uid }) => uid),
  z.object({ path: z.string() }).transform(({ path }) => path),
]);

/**
 * Returns the id or path of a document, which is given as a string, with or without the prefix `doc:`, or as an
 * entity.
 */
function nameOf(item: unknown): string {
  if (typeof item === 'string' && item.trim() !== '') return item.trim().replace(/^doc:/, '');
  const found = document.safeParse(item);
  if (!found.success) throw fault('must be the id, the path or the entity of a document');
  return found.data;
}

const user = z.object({ id: z.string().nullish(), properties: record }, 'properties are missing');

function ofEntity({ takes }: Taking, json: z.output<typeof entity>): CallInput {
  const { 'entity-type': type, entries } = json;
  if (type === 'user' && takes.includes('user')) {
    const { data, error } = user.safeParse(json);
    if (!data) throw fault(`the user is not valid: ${error.issues[0]?.message}`);
    return { user: data };
  }
  if (type === 'document') return { document: nameOf(json) };
  if (type === 'documents' && Array.isArray(entries)) return { documents: entries.map(nameOf) };
  throw fault(`this operation does not accept entities of type ${type.slice(0, 80)}`);
}

/** Matches the path or id of a document. It is used for operations whose input can also be any other string. */
const documentName = /^(?:\/|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$)/i;

// Reads a string as the input of an operation. The prefixes `doc:` and `docs:` mark document ids and paths. Other
// strings are interpreted according to the kind of input that the operation accepts.
function ofText({ takes }: Taking, text: string): CallInput {
  const [, prefix, rest = ''] = /^(\w+):(.*)$/s.exec(text.trim()) ?? [];
  if (prefix === 'expr') throw fault('expressions (expr:) are not supported');
  if (prefix === 'blob' || prefix === 'blobs')
    throw fault('blobs cannot be referred to by name; send them with the call');
  if (prefix === 'doc') return { document: nameOf(rest) };
  if (prefix === 'docs') return { documents: splitSentList(rest).map(nameOf) };
  const isName =
    takes.some((kind) => kind.startsWith('document')) &&
    (!takes.includes('string') || documentName.test(text.trim()));
  return isName ? { document: nameOf(text) } : { text };
}

/**
 * Reads the input of an operation.
 * @throws Invalid if it is neither a string, nor a list, nor an entity of a known type
 */
function readInput(operation: Taking, json: unknown): CallInput | undefined {
  if (json === undefined || json === null) return undefined;
  if (typeof json === 'string') return ofText(operation, json);
  if (Array.isArray(json)) return { documents: json.map(nameOf) };
  const found = entity.safeParse(json);
  if (!found.success) throw fault('must be a string, a list or an entity');
  return ofEntity(operation, found.data);
}

/** Returns the ids and paths of the input documents of a call, or an empty list if the input is invalid. */
export function documentsInCall(operation: Taking, json: unknown): readonly string[] {
  if (typeof json !== 'object' || json === null || !('input' in json)) return [];
  try {
    const { document, documents } = readInput(operation, json.input) ?? {};
    const named = documents ?? (typeof document === 'string' ? [document] : []);
    return named.every(isStorableText) ? named : [];
  } catch (error) {
    if (error instanceof Invalid) return [];
    throw error;
  }
}

type Named = Record<string, unknown>;

const without = <Value>(named: Readonly<Record<string, Value>>, name: string): Record<string, Value> =>
  Object.fromEntries(Object.entries(named).filter(([each]) => each !== name));

// Reads the parameters of a call. If the operation has a document parameter that the call omits, its value is the
// document in the URL or, if there is none, `currentDocument` in the context.
function paramsIn(
  operation: Operation,
  { params, context }: Record<'params' | 'context', Named>,
  { isAddressed, isStrict }: Record<'isAddressed' | 'isStrict', boolean>,
) {
  const { documentParam } = operation;
  const reading = { isStrict, keepsExpressions: true };
  if (documentParam === undefined) return readParams(operation, params, reading);
  if (isAddressed)
    return readParams(
      { id: operation.id, params: without(operation.params, documentParam) },
      without(params, documentParam),
      reading,
    );
  return readParams(operation, { [documentParam]: context.currentDocument ?? null, ...params }, reading);
}

const shape = z.object(
  { input: z.unknown().optional(), params: record, context: record },
  'The body must be a JSON object',
);

const withBlobs = (operation: Taking, input: unknown, blobs: CallInput['blobs']) =>
  blobs?.length ? { ...readInput(operation, input), blobs } : readInput(operation, input);

interface CallAddress {
  /** Whether the URL of the call identifies a document, followed by the adapter `@op`. */
  readonly isAddressed: boolean;
  /** Whether the body contains the input. False if the URL contains it, or if the operation accepts no input. */
  readonly readsInput: boolean;
}

/** The request body `{input, params, context}` of a call (§4.7). All fields are optional; other fields are ignored. */
export const operationCallBody = (
  operation: Operation,
  { isAddressed, readsInput }: CallAddress,
): BodyReader =>
  bodyReader(shape, ({ input, params, context }, { blobs, isStrict }) => ({
    ...(readsInput && { input: withBlobs(operation, input, blobs) }),
    params: paramsIn(operation, { params: params ?? {}, context: context ?? {} }, { isAddressed, isStrict }),
    context,
  }));

/**
 * The request body for a call of a chain. The chain's parameters are validated later, after the chain has been loaded
 * by name.
 */
export const chainCallBody = ({ readsInput }: Pick<CallAddress, 'readsInput'>): BodyReader =>
  bodyReader(shape, ({ input, params, context }, { blobs }) => ({
    ...(readsInput && { input: withBlobs({ takes: anyInput }, input, blobs) }),
    params,
    context,
  }));
