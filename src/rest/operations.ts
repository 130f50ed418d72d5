import type { GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import { type Operation, toOperation } from '../operation.ts';
import { call, input } from '../selection.ts';
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
}

/** Shapes kept compiled: clients send few, and a new one costs a fraction of a millisecond. */
const kept = 500;

/** What a route asks under some headers. */
export function ask(schema: GraphQLSchema, route: Route, shape: Shape): Asked {
  const selection = route.ask(entitiesOf(shape));
  const spelled = presenter(selection);
  const path = route.show ?? Object.keys(selection).slice(0, 1);
  return {
    operation: toOperation(schema, route.kind, selection),
    present: (data, inside) =>
      path.reduce((value, key) => (value as Record<string, unknown> | null)?.[key], spelled(data, inside)),
  };
}

/** What is asked of documents so many levels inside of others. @throws Error when there is no such level. */
export function askInside(schema: GraphQLSchema, shape: Shape, level: number): AskedInside {
  const document = entitiesOf(shape).inside[level - 1];
  if (!document) throw new Error(`at depth ${shape.depth} no documents are ${level} levels inside`);
  const selection = { documents: call({ ids: input('ids') }, document) };
  return { operation: toOperation(schema, 'query', selection), present: presenter(document) };
}

/** Makes what a key stands for, unless it was made of late. */
function keeping<Value extends object>(): (key: string, make: () => Value) => Value {
  const cache = new LRUCache<string, Value>({ max: kept });
  return (key, make) => {
    const value = cache.get(key) ?? make();
    cache.set(key, value);
    return value;
  };
}

/** What is asked for under some headers, compiled once for each wish of late. */
export interface Operations {
  readonly of: (route: Route, shape: Shape) => Asked;
  readonly inside: (shape: Shape, level: number) => AskedInside;
}

export function createOperations(schema: GraphQLSchema): Operations {
  const of = keeping<Asked>();
  const inside = keeping<AskedInside>();
  return {
    of: (route, shape) =>
      of(`${route.method} ${route.path} ${JSON.stringify(shape)}`, () => ask(schema, route, shape)),
    inside: (shape, level) =>
      inside(`${level} ${JSON.stringify(shape)}`, () => askInside(schema, shape, level)),
  };
}
