import { Invalid } from '../../errors.ts';
import type { Context } from '../../loaders/context.ts';
import { type DocumentRow, versionLabel } from '../../loaders/documents/document-row.ts';
import type { DocumentReference } from '../../model/document-reference.ts';
import { asBlob, fieldOf, ResolvedBlob } from '../../model/values/stored.ts';
import { resolveXpath, valueAt } from '../../model/values/value-location.ts';
import { type CallState, InputValue, type KnownInput } from '../call.ts';
import { documentAt } from '../documents/document-at.ts';
import { type Path, parseExpression } from './expressions.ts';

/** The kinds of output whose values are JSON. Values of all other kinds are database rows. */
const plainKinds = new Set(['json', 'string', 'boolean', 'number', 'date', 'list', 'map']);

/** Converts an input to the value of an expression: JSON or an `InputValue`. */
export function valueOfInput(known: KnownInput): unknown {
  const { kind, value } = known;
  if (kind === 'string' || kind === 'user') return value;
  if (kind === 'other') return plainKinds.has(value.kind) ? value.value : null;
  return kind === 'void' ? null : new InputValue(known);
}

const onlyDocument = ({ input }: CallState): unknown => {
  if (input.kind !== 'document') throw new Invalid('Document: the input is not a document');
  return new InputValue(input);
};

type Root = (call: CallState, context: Context) => unknown;

const input: Root = (call) => valueOfInput(call.input);

const roots: Readonly<Record<string, Root>> = {
  Document: onlyDocument,
  Documents: input,
  This: input,
  this: input,
  input,
  Context: ({ variables }) => variables,
  ChainParameters: ({ parameters }) => parameters,
  CurrentUser: (_, { user }) => ({ name: user.id, groups: user.groups, administrator: user.isAdministrator }),
  CurrentDate: () => new Date().toISOString(),
};

const documentFields: Readonly<Record<string, (row: DocumentRow) => unknown>> = {
  id: ({ id }) => id,
  uid: ({ id }) => id,
  name: ({ name }) => name,
  path: ({ path }) => path,
  type: ({ type }) => type,
  title: ({ title }) => title,
  state: ({ state }) => state,
  lifeCycle: ({ state }) => state,
  repository: ({ repository }) => repository,
  parentId: ({ parentId }) => parentId,
  versionLabel,
};

/** @throws NotFound, Forbidden; Invalid if the property is unknown */
async function ofDocument(context: Context, reference: DocumentReference, name: string): Promise<unknown> {
  const row = await documentAt(context, reference);
  const field = fieldOf(documentFields, name);
  if (field) return field(row);
  const { model } = context.services;
  const found = valueAt(model.schemasOf(row.type, row.facets), row.properties, name);
  if (!found && !resolveXpath((first) => model.property(first), name))
    throw new Invalid(`there is no property ${name.slice(0, 80)}`);
  const blob = found?.property.type === 'blob' ? asBlob(found.value) : undefined;
  if (!blob) return found?.value ?? null;
  return new InputValue({ kind: 'bloblist', value: [blob], isSingle: true });
}

async function ofInputValue(
  context: Context,
  { input: known }: InputValue,
  name: string | number,
): Promise<unknown> {
  if (known.kind === 'document' && typeof name === 'string') return ofDocument(context, known.value, name);
  if (known.kind === 'documents' && typeof name === 'number') {
    const value = known.value[name];
    return value ? new InputValue({ kind: 'document', value }) : null;
  }
  const [blob] = known.kind === 'bloblist' ? known.value : [];
  if (!blob || typeof name !== 'string')
    throw new Invalid(`a value of the kind ${known.kind} has no ${name}`);
  const { mimeType, encoding, length } = blob;
  return fieldOf({ name: blob.name, filename: blob.name, mimeType, encoding, length }, name) ?? null;
}

async function below(context: Context, value: unknown, name: string | number): Promise<unknown> {
  if (value === null || value === undefined) return null;
  if (value instanceof InputValue) return ofInputValue(context, value, name);
  if (value instanceof Map) return value.get(String(name)) ?? null;
  if (Array.isArray(value)) return typeof name === 'number' ? (value[name] ?? null) : null;
  if (typeof value === 'object') return fieldOf(value as Record<string, unknown>, String(name)) ?? null;
  throw new Invalid(`a ${typeof value} has no ${String(name).slice(0, 80)}`);
}

async function valueAtPath(context: Context, call: CallState, { root, steps, text }: Path): Promise<unknown> {
  const start = fieldOf(roots, root);
  const { variables } = call;
  if (!start && !variables.has(root))
    throw new Invalid(`expr:${text.slice(0, 200)}: there is no variable ${root}`);
  try {
    let value = start ? start(call, context) : variables.get(root);
    for (const name of steps) value = await below(context, value, name);
    return value instanceof Map ? Object.fromEntries(value) : value;
  } catch (error) {
    if (error instanceof Invalid) throw new Invalid(`expr:${text.slice(0, 200)}: ${error.message}`);
    throw error;
  }
}

/**
 * Converts `InputValue`s inside a value to JSON: documents become their ids, and blobs take the form that properties
 * accept.
 */
export function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof InputValue) {
    const { input: known } = value;
    if (known.kind === 'document') return known.value.id ?? known.value.path;
    if (known.kind === 'documents') return known.value.map(({ id, path }) => id ?? path);
    if (known.kind !== 'bloblist') return null;
    const blobs = known.value.map((blob) => new ResolvedBlob(blob));
    return 'isSingle' in known ? blobs[0] : blobs;
  }
  if (typeof value !== 'object' || value === null || value instanceof ResolvedBlob) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]));
}

function textOf(value: unknown): string {
  const json = plain(value);
  if (json === null || json === undefined) return '';
  if (json instanceof ResolvedBlob) return json.blob.name ?? '';
  if (Array.isArray(json) && json.every((item) => typeof item === 'string')) return json.join(',');
  return typeof json === 'object' ? JSON.stringify(json) : String(json);
}

const tooLong = 'The values of all expressions together must not exceed 20,000,000 characters.';

/**
 * Subtracts the size of a value from the remaining budget.
 * @throws Invalid as soon as the budget is exhausted
 */
function spend({ left }: CallState, value: unknown): void {
  const rest = [value];
  while (rest.length > 0) {
    const each = rest.pop();
    left.characters -= typeof each === 'string' ? each.length + 1 : 1;
    if (left.characters < 0) throw new Invalid(tooLong);
    if (each instanceof InputValue)
      left.characters -= Array.isArray(each.input.value) ? each.input.value.length : 1;
    else if (typeof each === 'object' && each !== null)
      for (const inner of Object.values(each)) rest.push(inner);
  }
}

/**
 * Evaluates an expression, which is a string that begins with `expr:`, using the current variables and input.
 * @throws Invalid, with a message that quotes the expression; NotFound or Forbidden if a document cannot be read
 */
export async function evaluate(context: Context, call: CallState, expression: string): Promise<unknown> {
  const parts = parseExpression(expression);
  const [first] = parts;
  const isSinglePath = parts.length === 1 && typeof first === 'object';
  const texts: string[] = [];
  for (const part of parts) {
    const value = typeof part === 'string' ? part : await valueAtPath(context, call, part);
    spend(call, value);
    if (isSinglePath) return value;
    texts.push(textOf(value));
  }
  return texts.join('');
}
