import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  parse,
  typeFromAST,
} from 'graphql';
import { operations } from '../../src/automation/index.ts';
import { operationFieldName } from '../../src/automation/operation.ts';
import type { Example } from '../../src/openapi/examples/example.ts';
import { examples } from '../../src/openapi/examples/index.ts';
import { type Description, follow, type Operation, operationsOf } from '../../test/support/described.ts';
import * as consoleOperations from '../../web/src/graphql/operations.ts';
import type { Kind } from './fillings.ts';

const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');

export const description: Description = JSON.parse(read('openapi.json'));

/** A part of a request body that can be replaced by a test value. */
export interface Argument {
  /** The path of the argument within the body. */
  readonly path: readonly string[];
  readonly kinds: readonly Kind[];
  /**
   * Whether many targets read the argument with the same code, so that one test value of each kind is enough.
   */
  readonly isShared?: true;
}

export type Family = 'REST writes' | 'automation' | 'GraphQL mutations';

/** The target of a request: a route, an operation or a mutation. */
export interface Target {
  readonly family: Family;
  readonly name: string;
  /** The user who sends the request. Only administrators can send arbitrary GraphQL operations. */
  readonly as: 'member' | 'spare' | 'administrator';
  /** The id of the route in openapi.json; undefined for GraphQL. */
  readonly route: string | undefined;
  /**
   * A request that succeeds if the user has the required permissions. Placeholders such as `{report}` stand for values
   * from earlier steps.
   */
  readonly example: Example;
  readonly arguments: readonly Argument[];
}

type Json = Record<string, unknown>;

const all: readonly Kind[] = ['text', 'list', 'map'];

const kindsOfTypes: Readonly<Record<string, readonly Kind[]>> = {
  string: ['text'],
  array: ['list'],
  object: ['map'],
  number: ['number'],
  integer: ['number'],
  boolean: [],
  null: [],
};

const isShared = true;

const unique = <Value>(values: readonly Value[]): Value[] => [...new Set(values)];

/** Resolves the references in a schema and returns the alternative schemas that it allows. */
function variantsOf(schema: Json): Json[] {
  if (typeof schema.$ref === 'string') return variantsOf(follow(description, schema.$ref) as Json);
  const variants = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
  return variants ? variants.flatMap(variantsOf) : [schema];
}

function kindsOf(schema: Json): Kind[] {
  const kinds = variantsOf(schema).flatMap(({ type, enum: words }) => {
    if (words) return [];
    if (type === undefined) return all;
    return [type].flat().flatMap((each) => kindsOfTypes[String(each)] ?? []);
  });
  return unique(kinds);
}

/** Lists the arguments of a body with a given schema, starting with the body itself. */
function argumentsOf(schema: Json, path: readonly string[] = []): Argument[] {
  const own: Argument = { path, kinds: kindsOf(schema) };
  const fields = Object.assign({}, ...variantsOf(schema).map(({ properties }) => properties)) as Record<
    string,
    Json
  >;
  const parts = Object.entries(fields).flatMap(([name, field]) => argumentsOf(field, [...path, name]));
  return own.kinds.length > 0 ? [own, ...parts] : parts;
}

const jsonSchemaOf = ({ requestBody }: Operation): Json | undefined =>
  requestBody?.content['application/json']?.schema;

/**
 * Returns whether a route addresses a document by path. Such routes are skipped, because the routes by id behave in
 * the same way.
 */
const isByPath = (route: string): boolean => /ByPath(Later)?$/.test(route);

const operationNames: ReadonlySet<string> = new Set(operations.map(operationFieldName));

/** Returns whether requests to a path call operations. Their bodies have the same form on all such paths. */
const isCall = (path: string): boolean => /\/automation\/|\/(@op|execute)\//.test(path);

/** Creates an example with the required parameters for an operation that has no example. */
function anyExample(schema: Json): Example {
  const [{ properties = {}, required } = {}] = variantsOf(schema);
  const exampleValue = (field: Json): unknown => {
    const [variant = {}] = variantsOf(field);
    if (variant.properties) return anyExample(field).body;
    return { text: 'x', list: ['x'], map: {}, number: 1 }[kindsOf(variant)[0] ?? 'text'];
  };
  const fields = Object.entries(properties as Record<string, Json>);
  const needed = fields.filter(
    ([name]) => (required as string[] | undefined)?.includes(name) || name === 'params',
  );
  const values = needed.map(([name, field]) => [name, exampleValue(field)]);
  return {
    body: {
      ...(fields.some(([name]) => name === 'input') && { input: '{report}' }),
      ...Object.fromEntries(values),
    },
  };
}

/** Returns targets for all REST routes with a JSON body: writes and operation calls. */
function restTargets(): Target[] {
  return operationsOf(description).flatMap(({ path, method, operation }): Target[] => {
    const { operationId: route } = operation;
    const schema = jsonSchemaOf(operation);
    if (method === 'get' || !schema || isByPath(route)) return [];
    const ofCall = isCall(path);
    return [
      {
        family: ofCall ? 'automation' : 'REST writes',
        name: operationNames.has(route) ? (path.split('/').at(-1) ?? route) : route,
        // Changing the password would make later requests of the same user fail.
        as: route === 'changePassword' ? 'spare' : 'member',
        route,
        example: examples[route] ?? anyExample(schema),
        arguments: argumentsOf(schema).map((each) =>
          ofCall && each.path.length < 2 ? { ...each, isShared } : each,
        ),
      },
    ];
  });
}

const schema: GraphQLSchema = buildSchema(read('schema.graphql'));

function kindsOfInput(type: GraphQLInputType): readonly Kind[] {
  if (isNonNullType(type)) return kindsOfInput(type.ofType);
  if (isListType(type)) return ['list'];
  if (isInputObjectType(type)) return ['map'];
  if (isEnumType(type)) return ['text'];
  const kinds: Readonly<Record<string, readonly Kind[]>> = {
    JSON: all,
    Boolean: [],
    Int: ['number'],
    Float: ['number'],
  };
  return kinds[type.name] ?? ['text'];
}

/**
 * Lists the arguments of an input type.
 * @param seen the input types that another mutation already covers. They are skipped, because GraphQL reads their
 * fields in the same way everywhere.
 */
function argumentsOfInput(type: GraphQLInputType, path: readonly string[], seen: Set<string>): Argument[] {
  const kinds = kindsOfInput(type);
  const own: Argument[] = kinds.length > 0 ? [{ path, kinds, isShared }] : [];
  const named = getNamedType(type);
  if (!isInputObjectType(named) || kinds.includes('list') || seen.has(named.name)) return own;
  seen.add(named.name);
  const fields = Object.values(named.getFields());
  return [...own, ...fields.flatMap((field) => argumentsOfInput(field.type, [...path, field.name], seen))];
}

/** Values that identify existing objects, by argument or field name. */
const known: Readonly<Record<string, unknown>> = {
  id: '{report}',
  ids: ['{report}'],
  documentId: '{report}',
  input: '{report}',
  path: '/default-domain/workspaces/report',
  parentPath: '/default-domain/workspaces',
  parentId: '{workspaces}',
  name: 'filled',
  type: 'File',
  permission: 'Read',
  username: 'ina',
  user: 'ina',
  query: "SELECT * FROM Document WHERE dc:title = 'x'",
  text: 'A text',
};

function exampleOf(name: string, type: GraphQLInputType): unknown {
  if (isNonNullType(type)) return exampleOf(name, type.ofType);
  if (name in known) return isListType(type) ? [known[name]].flat() : known[name];
  if (isListType(type)) return [exampleOf('', type.ofType)];
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).filter(
      (field) => isNonNullType(field.type) || field.name in known,
    );
    return Object.fromEntries(fields.map((field) => [field.name, exampleOf(field.name, field.type)]));
  }
  return { JSON: {}, Boolean: true, Int: 1, Float: 1 }[type.name] ?? 'x';
}

interface Input {
  readonly name: string;
  readonly type: GraphQLInputType;
}

const graphqlTarget = (
  { name, as, query }: { readonly query: string } & Pick<Target, 'name' | 'as'>,
  inputs: readonly Input[],
  seen: Set<string>,
): Target => ({
  family: 'GraphQL mutations',
  name,
  as,
  route: undefined,
  example: {
    body: {
      query,
      variables: Object.fromEntries(inputs.map((each) => [each.name, exampleOf(each.name, each.type)])),
    },
  },
  arguments: inputs.flatMap((each) => argumentsOfInput(each.type, ['variables', each.name], seen)),
});

/**
 * Creates a target for the parts that all mutations have in common: the request, the text of the operation, and the
 * variables.
 */
const envelope = (as: Target['as']): Target => ({
  ...graphqlTarget({ name: `${as}: any mutation`, as, query: 'mutation { __typename }' }, [], new Set()),
  arguments: [
    { path: [], kinds: all },
    { path: ['query'], kinds: all },
    { path: ['variables'], kinds: all },
    { path: ['operationName'], kinds: all },
    { path: ['extensions'], kinds: ['map'] },
  ],
});

/** Creates targets for all mutations of the schema, which an administrator sends. */
function mutationTargets(): Target[] {
  const seen = new Set<string>();
  return Object.values(schema.getMutationType()?.getFields() ?? {}).map(({ name, args, type }) => {
    const declared = args.map((each) => `$${each.name}: ${each.type}`).join(', ');
    const passed = args.map((each) => `${each.name}: $${each.name}`).join(', ');
    const [head, call] = args.length > 0 ? [` (${declared})`, `(${passed})`] : ['', ''];
    const selected = isLeafType(getNamedType(type)) ? '' : ' { __typename }';
    const query = `mutation${head} { ${name}${call}${selected} }`;
    return graphqlTarget({ name, as: 'administrator', query }, args, seen);
  });
}

/** Creates targets for the console's mutations, which users who are not administrators can also send. */
function consoleTargets(): Target[] {
  const seen = new Set<string>();
  return Object.entries(consoleOperations).flatMap(([name, { text }]) => {
    const [definition] = parse(text).definitions;
    if (definition?.kind !== 'OperationDefinition' || definition.operation !== 'mutation') return [];
    const inputs = (definition.variableDefinitions ?? []).flatMap(({ variable, type }): Input[] => {
      const found = typeFromAST(schema, type as never) as GraphQLInputType | undefined;
      return found ? [{ name: variable.name.value, type: found }] : [];
    });
    return [graphqlTarget({ name: `console: ${name}`, as: 'member', query: text }, inputs, seen)];
  });
}

/** Creates targets for everything that accepts a list, an object or a string in a body. */
export const targets = (): Target[] => [
  ...restTargets(),
  envelope('member'),
  envelope('administrator'),
  ...consoleTargets(),
  ...mutationTargets(),
];
