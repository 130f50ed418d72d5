import { z } from 'zod';
import type { GivenInput } from '../../automation/input.ts';
import { anyInput, type Operation } from '../../automation/operation.ts';
import { readParams } from '../../automation/params/read-params.ts';
import { Invalid } from '../../errors.ts';
import { anyObject } from '../../model/values/any-object.ts';
import { splitSentList } from '../../model/values/list-text.ts';
import { isStorableText } from '../../model/values/storable.ts';

import { type BodyReader, bodyReader } from '../request/body.ts';

const record = anyObject('is no object').nullish();

const fault = (message: string) => new Invalid(`input: ${message}`);

type Taking = Pick<Operation, 'takes'>;

const entity = z.looseObject({ 'entity-type': z.string() });
const document = z.union([
  z.object({ uid: z.string() }).transform(({ uid }) => uid),
  z.object({ path: z.string() }).transform(({ path }) => path),
]);

/** A document named by its id or path, with or without the prefix `doc:`, or by its entity. */
function nameOf(item: unknown): string {
  if (typeof item === 'string' && item.trim() !== '') return item.trim().replace(/^doc:/, '');
  const found = document.safeParse(item);
  if (!found.success) throw fault('expected the id, the path or the entity of a document');
  return found.data;
}

const user = z.object({ id: z.string().nullish(), properties: record }, 'a user has properties');

function ofEntity({ takes }: Taking, json: z.output<typeof entity>): GivenInput {
  const { 'entity-type': type, entries } = json;
  if (type === 'user' && takes.includes('user')) {
    const { data, error } = user.safeParse(json);
    if (!data) throw fault(`a user of another form: ${error.issues[0]?.message}`);
    return { user: data };
  }
  if (type === 'document') return { document: nameOf(json) };
  if (type === 'documents' && Array.isArray(entries)) return { documents: entries.map(nameOf) };
  throw fault(`entities of type ${type.slice(0, 80)} are not taken`);
}

/** A path or an id, where other texts are taken too. */
const documentName = /^(?:\/|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$)/i;

// Texts with the prefix `doc:` or `docs:` name documents; other texts are read as the operation's own input
// kind.
function ofText({ takes }: Taking, text: string): GivenInput {
  const [, prefix, rest = ''] = /^(\w+):(.*)$/s.exec(text.trim()) ?? [];
  if (prefix === 'expr') throw fault('expressions (expr:) are not served');
  if (prefix === 'blob' || prefix === 'blobs') throw fault('blobs are not taken by name');
  if (prefix === 'doc') return { document: nameOf(rest) };
  if (prefix === 'docs') return { documents: splitSentList(rest).map(nameOf) };
  const isName =
    takes.some((kind) => kind.startsWith('document')) &&
    (!takes.includes('string') || documentName.test(text.trim()));
  return isName ? { document: nameOf(text) } : { text };
}

/** The input of an operation. @throws Invalid when it has none of the known forms. */
function readInput(operation: Taking, json: unknown): GivenInput | undefined {
  if (json === undefined || json === null) return undefined;
  if (typeof json === 'string') return ofText(operation, json);
  if (Array.isArray(json)) return { documents: json.map(nameOf) };
  const found = entity.safeParse(json);
  if (!found.success) throw fault('is neither a text, a list nor an entity');
  return ofEntity(operation, found.data);
}

/** The ids and paths of the documents in the input of a call, none where it cannot be read. */
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

// The parameters of a call; an unset document parameter is the addressed document, or that of the context.
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
  'the body is no JSON object',
);

const withBlobs = (operation: Taking, input: unknown, blobs: GivenInput['blobs']) =>
  blobs?.length ? { ...readInput(operation, input), blobs } : readInput(operation, input);

interface CallAddress {
  /** True for the adapter `@op`, whose address names the document. */
  readonly isAddressed: boolean;
  /** False where the address has the input, or the operation takes none. */
  readonly readsInput: boolean;
}

/** §4.7: `{input, params, context}`, each optional; other fields are ignored. */
export const operationCallBody = (
  operation: Operation,
  { isAddressed, readsInput }: CallAddress,
): BodyReader =>
  bodyReader(shape, ({ input, params, context }, { blobs, isStrict }) => ({
    ...(readsInput && { input: withBlobs(operation, input, blobs) }),
    params: paramsIn(operation, { params: params ?? {}, context: context ?? {} }, { isAddressed, isStrict }),
    context,
  }));

/** The call of a chain, whose parameters are read when it is found by its name. */
export const chainCallBody = ({ readsInput }: Pick<CallAddress, 'readsInput'>): BodyReader =>
  bodyReader(shape, ({ input, params, context }, { blobs }) => ({
    ...(readsInput && { input: withBlobs({ takes: anyInput }, input, blobs) }),
    params,
    context,
  }));
