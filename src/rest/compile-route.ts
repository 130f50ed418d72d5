import type { GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Forms } from '../selection/compatibility.ts';
import { type GraphqlOperation, toOperation } from '../selection/operation.ts';
import { Field, input, type NestedKind } from '../selection/selection.ts';
import type { NestedEntities, NestedQuery } from './answer/nested-entities.ts';
import { presenter } from './answer/present.ts';
import { entitiesOf } from './entities.ts';
import type { ResponseShape } from './request/headers.ts';
import { permittedOperation } from './rights-first.ts';
import type { Route } from './route.ts';

interface Compiler {
  readonly schema: GraphQLSchema;
  readonly forms: Forms;
}

interface CompiledRoute {
  readonly operation: GraphqlOperation;
  /** The query that checks the permission required by the route's guard; undefined if the route has no guard. */
  readonly permitted: GraphqlOperation | undefined;
  /** The query that finds the ids of the documents for the input `listed`. It runs before the operation itself. */
  readonly listing:
    | { readonly operation: GraphqlOperation; readonly idsIn: (data: unknown) => string[] }
    | undefined;
  /** Renders the data of the root field, or the data at the route's `resultPath`. */
  readonly present: (data: Record<string, unknown>, nested: NestedEntities) => unknown;
  readonly nested: (level: number, kinds: readonly NestedKind[]) => NestedQuery;
}

/**
 * The maximum number of compiled operations in the cache. Clients use few combinations of headers, and compiling an
 * operation takes less than a millisecond.
 */
const maxCompiled = 500;

const fieldsByIds = { document: 'documents', user: 'usersByIds' } as const satisfies Record<
  NestedKind,
  string
>;

/**
 * Compiles the query that reads the nested entities at one level of nesting.
 * @throws Error if the response shape has fewer levels
 */
function compileNested(
  { schema, forms }: Compiler,
  shape: ResponseShape,
  level: number,
  kinds: readonly NestedKind[],
): NestedQuery {
  const entities = entitiesOf(shape, forms).nested[level - 1];
  if (!entities) throw new Error(`level ${level} does not exist: the maximum depth is ${shape.depth}`);
  const { document, user } = entities;
  const fields = kinds.map((kind): [string, Field] => [
    kind,
    new Field({ name: fieldsByIds[kind], arguments: { ids: input(kind) }, of: entities[kind] }),
  ]);
  return {
    operation: toOperation(schema, 'query', Object.fromEntries(fields)),
    present: { document: presenter(document), user: presenter(user) },
  };
}

function compileListing(schema: GraphQLSchema, { lists }: Route): CompiledRoute['listing'] {
  if (!lists) return undefined;
  const entriesIn = (data: unknown) =>
    lists.path.reduce((value, key) => (value as Record<string, unknown>)[key], data);
  return {
    operation: toOperation(schema, 'query', lists.select),
    idsIn: (data) => (entriesIn(data) as ReadonlyArray<{ uid: string }>).map(({ uid }) => uid),
  };
}

/**
 * Compiles a route for one response shape. The queries for nested entities are compiled later, when a response
 * contains such entities for the first time.
 */
export function compileRoute(compiler: Compiler, route: Route, shape: ResponseShape): CompiledRoute {
  const { schema, forms } = compiler;
  const selection = route.select(entitiesOf(shape, forms));
  const render = presenter(selection);
  const path = route.resultPath ?? Object.keys(selection).slice(0, 1);
  const compiled = new Map<string, NestedQuery>();
  return {
    operation: toOperation(schema, route.kind, selection),
    permitted: route.guard && permittedOperation(schema),
    listing: compileListing(schema, route),
    present: (data, nested) =>
      path.reduce((value, key) => (value as Record<string, unknown> | null)?.[key], render(data, nested)),
    nested: (level, kinds) => {
      const key = `${level} ${kinds}`;
      const query = compiled.get(key) ?? compileNested(compiler, shape, level, kinds);
      compiled.set(key, query);
      return query;
    },
  };
}

export type RouteCompiler = (route: Route, shape: ResponseShape) => CompiledRoute;

export function createRouteCompiler(compiler: Compiler): RouteCompiler {
  const compiled = new LRUCache<string, CompiledRoute>({ max: maxCompiled });
  return (route, shape) => {
    const key = `${route.method} ${route.path} ${JSON.stringify(shape)}`;
    const value = compiled.get(key) ?? compileRoute(compiler, route, shape);
    compiled.set(key, value);
    return value;
  };
}
