import type { GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import { type Operation, toOperation } from '../operation.ts';
import { Field, type InsideKind, input } from '../selection.ts';
import { entitiesOf } from './entities.ts';
import type { Shape } from './headers.ts';
import type { AskedInside, Inside } from './inside.ts';
import { presenter } from './present.ts';
import type { Route } from './route.ts';

/** What a route asks under some headers, ready to run, and how its answer is read. */
export interface Asked {
  readonly operation: Operation;
  /** The answer's data as the contract spells it: the root field, or the part of it that the route shows. */
  readonly present: (data: Record<string, unknown>, inside: Inside) => unknown;
  /** What is asked of the entities of some kinds so many levels inside of it. */
  readonly inside: (level: number, kinds: readonly InsideKind[]) => AskedInside;
}

/** Shapes kept compiled: clients send few, and a new one costs a fraction of a millisecond. */
const kept = 500;

/** By which fields of the schema entities of a kind are found. */
const fieldsByIds = { document: 'documents', user: 'usersByIds' } as const satisfies Record<
  InsideKind,
  string
>;

/** What is asked of entities so many levels inside of others. @throws Error when there is no such level. */
function askInside(
  schema: GraphQLSchema,
  shape: Shape,
  level: number,
  kinds: readonly InsideKind[],
): AskedInside {
  const entities = entitiesOf(shape).inside[level - 1];
  if (!entities) throw new Error(`at depth ${shape.depth} nothing is ${level} levels inside`);
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

/** What a route asks under some headers; what is inside is compiled when there is any. */
export function ask(schema: GraphQLSchema, route: Route, shape: Shape): Asked {
  const selection = route.ask(entitiesOf(shape));
  const spelled = presenter(selection);
  const path = route.show ?? Object.keys(selection).slice(0, 1);
  const compiled = new Map<string, AskedInside>();
  return {
    operation: toOperation(schema, route.kind, selection),
    present: (data, inside) =>
      path.reduce((value, key) => (value as Record<string, unknown> | null)?.[key], spelled(data, inside)),
    inside: (level, kinds) => {
      const key = `${level} ${kinds}`;
      const asked = compiled.get(key) ?? askInside(schema, shape, level, kinds);
      compiled.set(key, asked);
      return asked;
    },
  };
}

/** What is asked for under some headers, compiled once for each wish of late. */
export type Operations = (route: Route, shape: Shape) => Asked;

export function createOperations(schema: GraphQLSchema): Operations {
  const asked = new LRUCache<string, Asked>({ max: kept });
  return (route, shape) => {
    const key = `${route.method} ${route.path} ${JSON.stringify(shape)}`;
    const value = asked.get(key) ?? ask(schema, route, shape);
    asked.set(key, value);
    return value;
  };
}
