import {
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isObjectType,
} from 'graphql';
import type { Node, Selection } from '../../selection.ts';
import type { Entities } from '../entities.ts';
import type { Route } from '../route.ts';
import { askedBy, type Components, selectionOf } from './components.ts';
import { anyOf, type Json } from './json-schema.ts';

/** Schemas by media type. */
export type Content = Readonly<Record<string, Json>>;

const json = (schema: Json): Content => ({ 'application/json': { schema } });
const bytes: Content = { '*/*': {} };
const text = (schema: Json = {}): Content => ({ 'text/plain': { schema: { type: 'string', ...schema } } });

/** The type that the root of a row's operation is of. */
export function rootOf(schema: GraphQLSchema, { kind }: Route): GraphQLObjectType {
  const root = kind === 'query' ? schema.getQueryType() : schema.getMutationType();
  if (!root) throw new Error(`the schema has no ${kind}`);
  return root;
}

interface Found {
  readonly type: GraphQLObjectType;
  readonly key: string;
  readonly node: Node;
}

/** The field that is shown of what is asked for, and the type that has it. */
function shownField(root: GraphQLObjectType, { show }: Route, selection: Selection): Found {
  const [first = '', ...rest] = show ?? Object.keys(selection).slice(0, 1);
  let found: Found = { type: root, key: first, node: selection[first] ?? true };
  for (const key of rest) {
    const { node } = found;
    const type = getNamedType(found.type.getFields()[askedBy(found.key, node)]?.type);
    if (!isObjectType(type)) throw new Error(`${found.key} has no field ${key}`);
    found = { type, key, node: selectionOf(node)?.[key] ?? true };
  }
  return found;
}

/** What an operation answers: of the result, what is asked of it. */
function resultOf(type: GraphQLObjectType, selection: Selection, components: Components): Content {
  const { kind: _, blob, blobs, ...entities } = selection;
  const values = Object.entries(entities).flatMap(([key, node]) => {
    const field = type.getFields()[key];
    return field ? [components.there(getNullableType(field.type), key, node)] : [];
  });
  return {
    ...(values.length > 0 && json(anyOf(values))),
    ...(blob && bytes),
    ...(blobs && { 'multipart/mixed': {} }),
  };
}

/** What a row answers when all goes well; nothing when there is nothing to say. */
export function contentOf(
  route: Route,
  entities: Entities,
  { schema, components }: { schema: GraphQLSchema; components: Components },
): Content {
  const selection = route.ask(entities);
  const { type, key, node } = shownField(rootOf(schema, route), route, selection);
  const field = type.getFields()[askedBy(key, node)];
  if (!field) throw new Error(`${type.name} has no field ${key}`);
  switch (route.answer) {
    case 'bytes':
      return bytes;
    case 'text':
      return text();
    case 'execution':
      return { ...text({ const: 'RUNNING' }), ...bytes };
    case 'result':
      return resultOf(getNamedType(field.type) as GraphQLObjectType, selectionOf(node) ?? {}, components);
    case 'entity':
      if (route.status === 204) return {};
      return {
        ...json(components.value(field.type, key, node)),
        ...(route.csv && { 'text/csv': { schema: { type: 'string' } } }),
      };
  }
}
