import type { RequestHandler } from 'express';

/**
 * Combines handlers into a single one, because a step in Express's own chain costs more than most of the handlers that
 * run before every route.
 */
export function chainHandlers(...handlers: readonly RequestHandler[]): RequestHandler {
  const [first, ...others] = handlers;
  if (!first) return (_request, _response, next) => next();
  if (others.length === 0) return first;
  const rest = chainHandlers(...others);
  return (request, response, next) =>
    first(request, response, (error?: unknown) => {
      if (error !== undefined) return next(error);
      const done = rest(request, response, next);
      if (done instanceof Promise) done.catch(next);
    });
}
