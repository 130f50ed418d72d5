import {
  type GraphQLInputType,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  isObjectType,
} from 'graphql';
import { deprecations } from '../deprecations.ts';
import { bytesHeaders, fileHeaders } from '../rest/request/sent-file.ts';
import type { Route } from '../rest/route.ts';
import { Field, Input, type Selection } from '../selection/selection.ts';
import { deprecated } from './deprecated.ts';
import { selectedField, selectionOf } from './entity-schemas.ts';
import { type Json, ref, textSchema } from './json-schema.ts';

/** Descriptions of path parameters. A parameter has the same meaning in all paths. */
const addressDescriptions: Readonly<Record<string, string>> = {
  path: 'The path of a document, with unescaped slashes. Empty for the root.',
  id: 'The id.',
  xpath: 'The location of a file in a document, such as `files:files/0/file`, with unescaped slashes.',
  user: 'The name of a user. If no user has this name, `/user/` looks for a group.',
  group: 'The name of a group.',
  directory: 'The name of a directory.',
  entry: 'The id of an entry.',
  name: 'The name.',
  object: 'BusinessAdapter, the type of the document, or one of its supertypes.',
  client: 'The client id of an application.',
  provider: 'The name of an external service.',
  operation: 'The id or an alias of an operation.',
  language: 'The query language: NXQL.',
  execution: 'The id of an execution, from `Location`.',
  batch: 'The id of a batch.',
  file: 'The index of a file, chosen by the client.',
  handler: 'The name of an upload handler.',
  task: 'The id of a task.',
  rendition: 'One of the renditions of the document, such as `thumbnail`.',
  bulkAction: 'One of the bulk actions, such as `setProperties`.',
  action: 'One of the actions of the task, such as `start_review`.',
  workflow: 'The id of a workflow.',
  comment: 'The id of a comment or an annotation.',
  entity: 'The id of a comment or an annotation in an external application.',
  matrix: 'The ids of at most 1000 documents, such as `id=A;id=B`.',
  model: 'The name of a workflow model.',
  ace: 'The id of an ACE.',
  version: 'The id of a version.',
  tag: 'The label of a tag.',
};

/** Converts an Express pattern to an OpenAPI path template, and lists its parameters. */
export function templateOf(path: string): { readonly template: string; readonly names: readonly string[] } {
  const template = path.replace(/\{\/\*(\w+)\}/g, '/{$1}').replace(/[:*](\w+)/g, '{$1}');
  return { template, names: [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name) };
}

/** @throws Error if a parameter has no description */
export const addressParameters = (path: string, own: Route['pathParameters'] = {}): Json[] =>
  templateOf(path).names.map((name) => {
    const description = own[name] ?? addressDescriptions[name];
    if (description === undefined) throw new Error(`${path}: describe {${name}} in addressDescriptions`);
    return {
      name,
      in: 'path',
      required: true,
      description,
      schema: name === 'operation' ? ref('schemas', 'OperationName') : textSchema,
    };
  });

/** An argument in the GraphQL schema, or a field of an input object. */
interface InputDefinition {
  readonly type: GraphQLInputType;
  readonly description?: string | null | undefined;
  readonly defaultValue?: unknown;
}

/** An input from the request, such as `query.pageSize`, and the GraphQL argument that it becomes. */
type NamedInput = readonly [source: string, definition: InputDefinition];

function inputsOfArgument(value: unknown, definition: InputDefinition): NamedInput[] {
  if (value instanceof Input) return [[value.name, definition]];
  const type = getNullableType(definition.type);
  if (typeof value !== 'object' || value === null || !isInputObjectType(type)) return [];
  return Object.entries(value).flatMap(([name, part]) => {
    const field = type.getFields()[name];
    return field ? inputsOfArgument(part, field) : [];
  });
}

export function inputsOfSelection(type: GraphQLObjectType, selection: Selection): NamedInput[] {
  return Object.entries(selection).flatMap(([key, node]) => {
    const field = selectedField(type, key, node);
    if (!field) return [];
    const fieldArguments = node instanceof Field ? node.arguments : {};
    const own = field.args.flatMap((argument) => inputsOfArgument(fieldArguments[argument.name], argument));
    const fieldType = getNamedType(field.type);
    const subSelection = selectionOf(node);
    return isObjectType(fieldType) && subSelection
      ? [...own, ...inputsOfSelection(fieldType, subSelection)]
      : own;
  });
}

const scalars: Readonly<Record<string, string>> = { Int: 'integer', Boolean: 'boolean' };

function queryParameter(
  name: string,
  { type, description, defaultValue }: InputDefinition,
  explode: boolean,
): Json {
  const item = { type: scalars[getNamedType(type).name] ?? 'string' };
  const isList = isListType(getNullableType(type));
  return {
    name,
    in: 'query',
    ...deprecated(description, deprecations.parameters[name]),
    ...(isList && { style: 'form', explode }),
    schema: {
      ...(isList ? { type: 'array', items: item } : item),
      ...(defaultValue !== undefined && { default: defaultValue }),
    },
  };
}

const freeParameters = ({ description }: InputDefinition): Json => ({
  name: 'parameters',
  in: 'query',
  style: 'form',
  explode: true,
  ...(description && { description }),
  schema: { type: 'object', additionalProperties: textSchema },
});

const headerParameters = (headers: Readonly<Record<string, string>>): Json[] =>
  Object.entries(headers).map(([name, description]) => ({
    name,
    in: 'header',
    description,
    schema: { type: /Size|Index|Count/.test(name) ? 'integer' : 'string' },
  }));

export function requestParameters(
  inputs: ReadonlyMap<string, InputDefinition>,
  { answer, bodyForm }: Pick<Route, 'answer' | 'bodyForm'>,
): Json[] {
  const queried = [...inputs].flatMap(([name, definition]) => {
    const [source = '', key = ''] = name.split('.');
    return source === 'query' || source === 'repeated'
      ? [queryParameter(key, definition, source === 'repeated')]
      : [];
  });
  const free = inputs.get('parameters');
  return [
    ...queried,
    ...(free ? [freeParameters(free)] : []),
    ...(inputs.has('ifMatch') ? [ref('parameters', 'If-Match'), ref('parameters', 'If-None-Match')] : []),
    ...(answer === 'bytes' ? [ref('parameters', 'inline'), ref('parameters', 'Range')] : []),
    ...(bodyForm === 'file' ? headerParameters(fileHeaders) : []),
    ...(bodyForm === 'oneFile' ? headerParameters(bytesHeaders) : []),
  ];
}
