import {
  type GraphQLInputType,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  isObjectType,
} from 'graphql';
import { Field, Input, type Selection } from '../../selection.ts';
import type { Route } from '../route.ts';
import { fileHeaders } from '../sent-file.ts';
import { askedBy, selectionOf } from './components.ts';
import { type Json, ref } from './json-schema.ts';

/** What the parameters of addresses are. */
const inAddress: Readonly<Record<string, string>> = {
  path: 'The path of a document; its slashes stand as they are. Empty for the root.',
  id: 'The id.',
  xpath:
    'The path of a property that holds a file, such as `files:files/0/file`; its slashes stand as they are.',
  user: 'The name of a user; where there is none of it, `/user/` takes that of a group.',
  group: 'The name of a group.',
  directory: 'The name of a directory.',
  entry: 'The id of an entry.',
  name: 'The name.',
  client: 'The client id of an application.',
  operation: 'The name of an operation, or an older one.',
  language: 'The language of a query: NXQL.',
  execution: 'The id of an execution, as `Location` told it.',
  batch: 'The id of a batch.',
  file: "The caller's own number of a file.",
  handler: 'The name of an upload handler.',
  task: 'The id of a task.',
  action: 'One of the actions of the task, such as `start_review`.',
  workflow: 'The id of a workflow.',
  model: 'The name of a workflow model.',
};

/** The address of a row as a template, and the names in it. */
export function templateOf(path: string): { readonly template: string; readonly names: readonly string[] } {
  const template = path.replace(/\{\/\*(\w+)\}/g, '/{$1}').replace(/[:*](\w+)/g, '{$1}');
  return { template, names: [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name) };
}

/** The parameters in an address. @throws Error when nobody says what one is. */
export const addressParameters = (path: string): Json[] =>
  templateOf(path).names.map((name) => {
    const description = inAddress[name];
    if (description === undefined) throw new Error(`${path}: say in inAddress what {${name}} is`);
    return {
      ...{ name, in: 'path', required: true, description },
      schema: name === 'operation' ? ref('schemas', 'OperationName') : { type: 'string' },
    };
  });

const scalars: Readonly<Record<string, string>> = { Int: 'integer', Boolean: 'boolean' };

function queryParameter(name: string, { type, description, defaultValue }: Wanted): Json {
  const one = { type: scalars[getNamedType(type).name] ?? 'string' };
  const isList = isListType(getNullableType(type));
  return {
    ...{ name, in: 'query' },
    ...(description && { description }),
    ...(isList && { style: 'form', explode: false }),
    schema: {
      ...(isList ? { type: 'array', items: one } : one),
      ...(defaultValue !== undefined && { default: defaultValue }),
    },
  };
}

/** Parameters by names that the request chooses. */
const anyParameter = ({ description }: Wanted): Json => ({
  ...{ name: 'parameters', in: 'query', style: 'form', explode: true },
  ...(description && { description }),
  schema: { type: 'object', additionalProperties: { type: 'string' } },
});

/** What an argument, or a field of an input, wants. */
interface Wanted {
  readonly type: GraphQLInputType;
  readonly description?: string | null | undefined;
  readonly defaultValue?: unknown;
}

/** The values that each request brings for an argument, and what is wanted of each. */
function inputsIn(value: unknown, wanted: Wanted): Array<readonly [string, Wanted]> {
  if (value instanceof Input) return [[value.name, wanted]];
  const type = getNullableType(wanted.type);
  if (typeof value !== 'object' || value === null || !isInputObjectType(type)) return [];
  return Object.entries(value).flatMap(([name, part]) => {
    const field = type.getFields()[name];
    return field ? inputsIn(part, field) : [];
  });
}

/** The values that each request brings for a selection, by where they come from. */
export function inputsOf(type: GraphQLObjectType, selection: Selection): Array<readonly [string, Wanted]> {
  return Object.entries(selection).flatMap(([key, node]) => {
    const field = type.getFields()[askedBy(key, node)];
    if (!field) return [];
    const given = node instanceof Field ? node.arguments : {};
    const own = field.args.flatMap((argument) => inputsIn(given[argument.name], argument));
    const below = getNamedType(field.type);
    const of = selectionOf(node);
    return isObjectType(below) && of ? [...own, ...inputsOf(below, of)] : own;
  });
}

/** The headers that say what file a body is. */
const saidOfFiles = Object.entries(fileHeaders).map(([name, description]) => ({
  ...{ name, in: 'header', description },
  schema: { type: /Size|Index|Count/.test(name) ? 'integer' : 'string' },
}));

/** The parameters of the query that a row takes, and what it wants of the headers of HTTP. */
export function queryParameters(
  wanted: ReadonlyMap<string, Wanted>,
  { answer, blobs }: Pick<Route, 'answer' | 'blobs'>,
): Json[] {
  const queried = [...wanted].flatMap(([name, of]) =>
    name.startsWith('query.') ? [queryParameter(name.slice('query.'.length), of)] : [],
  );
  const all = wanted.get('parameters');
  return [
    ...queried,
    ...(all ? [anyParameter(all)] : []),
    ...(wanted.has('ifMatch') ? [ref('parameters', 'If-Match')] : []),
    ...(answer === 'bytes' ? [ref('parameters', 'inline'), ref('parameters', 'Range')] : []),
    ...(blobs === 'file' ? saidOfFiles : []),
  ];
}
