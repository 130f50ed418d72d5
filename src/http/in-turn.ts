import type { RequestHandler } from 'express';

/**
 * Several handlers as one. A step of Express' own chain costs more than most of the handlers that stand before every
 * route do themselves.
 */
export function inTurn(...handlers: readonly RequestHandler[]): RequestHandler {
  const [first, ...others] = handlers;
  if (!first) return (_request, _response, next) => next();
  if (others.length === 0) return first;
  const rest = inTurn(...others);
  return (request, response, next) =>
    first(request, response, (error?: unknown) => {
      if (error !== undefined) return next(error);
      const done = rest(request, response, next);
      if (done instanceof Promise) done.catch(next);
    });
}
