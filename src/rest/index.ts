import type { Request, RequestHandler } from 'express';
import { MethodNotAllowed, NotFound } from '../errors.ts';
import { serveDescription } from './description.ts';
import { createOperations } from './operations.ts';
import { createFinder, type Place } from './places.ts';
import { createReceiver } from './receive.ts';
import type { Route } from './route.ts';
import { routes } from './routes.ts';
import { type RestServices, serve, serveLater } from './serve.ts';
import { serveUpload } from './serve-upload.ts';

/** What answers at a path of the table: its rows by their methods, and 405 for all others. */
function placeOf(path: string, handlers: ReadonlyMap<string, RequestHandler>): Place {
  const allowed = [...handlers.keys(), 'OPTIONS'];
  if (handlers.has('GET')) allowed.push('HEAD');
  const handle: RequestHandler = (request, response, next) => {
    const handler = handlers.get(request.method === 'HEAD' ? 'GET' : request.method);
    if (handler) return handler(request, response, next);
    if (request.method !== 'OPTIONS') throw new MethodNotAllowed(request.method, allowed);
    return response.set('Allow', allowed.join(', ')).status(204).end();
  };
  return { path, handle };
}

/** A segment that begins with "@" starts an adapter: one that the table does not have is in no document's path or xpath. */
const otherAdapters = (path: string): Place => ({
  path: `${path}/@:adapter{/*rest}`,
  handle: ({ params }) => {
    throw new NotFound(`there is no @${params.adapter} here`);
  },
});

/** §4: every route of the table, below wherever it is mounted; and 405 or 404 for whatever else is asked. */
export function createRest(services: RestServices): RequestHandler {
  const operations = createOperations(services.schema);
  const receive = createReceiver(services);
  const handlerOf = (row: Route, how = serve): RequestHandler => {
    if (row.blobs === 'file') return serveUpload(row, { services, operations, receive });
    const answer = how(row, services, operations);
    return async (request, response) => answer(request, response, await receive(row, request, response));
  };
  /** Where an operation is called by those who do not wait for it. */
  const laterOf = (row: Route): Place[] =>
    row.operation === undefined
      ? []
      : [placeOf(`${row.path}/@async`, new Map([[row.method.toUpperCase(), handlerOf(row, serveLater)]]))];

  const paths = new Set(routes.map((route) => route.path));
  const find = createFinder([
    ...[...paths].flatMap((path) => {
      const rows = routes.filter((route) => route.path === path);
      const handlers = new Map(rows.map((row) => [row.method.toUpperCase(), handlerOf(row)]));
      const place = placeOf(path, handlers);
      const hasAdapters = paths.has(`${path}/@children`) || path.endsWith('/*xpath');
      return hasAdapters ? [otherAdapters(path), place] : [place];
    }),
    ...routes.flatMap(laterOf),
    placeOf('/openapi.json', new Map([['GET', serveDescription(services)]])),
  ]);
  return (request, response, next) => {
    const found = find(request.path);
    if (!found) return next();
    const { place, parameters } = found;
    request.params = parameters as Request['params'];
    request.route = place;
    return place.handle(request, response, next);
  };
}
