import type { GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import { type Operation, toOperation } from '../operation.ts';
import { entitiesOf } from './entities.ts';
import type { Shape } from './headers.ts';
import { presenter } from './present.ts';
import type { Route } from './route.ts';

/** What a route asks under some headers, ready to run, and how its answer is read. */
export interface Asked {
  readonly operation: Operation;
  /** The answer's data as the contract spells it: the root field, or the part of it that the route shows. */
  readonly present: (data: Record<string, unknown>) => unknown;
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
    present: (data) =>
      path.reduce((value, key) => (value as Record<string, unknown> | null)?.[key], spelled(data)),
  };
}

/** Compiles what a route asks under some headers, once for each wish of late. */
export function createOperations(schema: GraphQLSchema): (route: Route, shape: Shape) => Asked {
  const cache = new LRUCache<string, Asked>({ max: kept });
  return (route, shape) => {
    const key = `${route.method} ${route.path} ${JSON.stringify(shape)}`;
    const asked = cache.get(key) ?? ask(schema, route, shape);
    cache.set(key, asked);
    return asked;
  };
}
