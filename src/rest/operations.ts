import type { GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import { type Operation, toOperation } from '../operation.ts';
import type { Selection } from '../selection.ts';
import { entitiesOf } from './entities.ts';
import type { Shape } from './headers.ts';
import type { Route } from './routes.ts';

/** What a route asks under some headers, ready to run, and how its answer is read. */
export interface Asked {
  readonly operation: Operation;
  readonly selection: Selection;
}

/** Shapes kept compiled: clients send few, and a new one costs a fraction of a millisecond. */
const kept = 500;

/** What a route asks under some headers. */
export function ask(schema: GraphQLSchema, route: Route, shape: Shape): Asked {
  const selection = route.ask(entitiesOf(shape));
  return { selection, operation: toOperation(schema, route.kind, selection) };
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
