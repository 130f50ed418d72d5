import type { Request, Response } from 'express';
import { Invalid } from '../../errors.ts';
import { createRightsCheck } from '../automation/require-operation.ts';
import type { ReceivedBody } from '../request/receive.ts';
import { parseRequest, type Serve, setVary } from '../serve-route.ts';
import { type executionMutations, requestUrl } from './executions.ts';
import { deferredCall } from './stored-call.ts';

/** Stores a call as an execution, which any process can run, and responds with 202 (§4.7). */
export const serveRouteAsync =
  ({ begin }: Pick<ReturnType<typeof executionMutations>, 'begin'>): Serve =>
  (route, facade, compile) => {
    const requireRights = createRightsCheck(facade);
    const parse = async (request: Request, response: Response, received: ReceivedBody) => {
      try {
        return parseRequest(route, { facade, compile }, { request, response, received, isDeferred: true });
      } catch (error) {
        if (error instanceof Invalid && route.guard)
          await requireRights(route.guard, request, response, received.json);
        throw error;
      }
    };
    return async (request, response, received) => {
      const parsed = await parse(request, response, received);
      const baseUrl = facade.baseUrlOf(request);
      const deferred = deferredCall(route, request, { parsed, received, baseUrl });
      const { operation } = request.params;
      const id = await facade.run({ ...parsed.caller, deferred }, 'mutation', async (ask) => {
        const { beginExecution } = await ask(begin, { operation });
        return String(beginExecution);
      });
      setVary(response, []);
      response.setHeader('Cache-Control', 'no-store');
      const address = requestUrl(request, baseUrl, parsed.caller.options.repository);
      response.setHeader('Location', `${address}/${id}/status`);
      return response.status(202).end();
    };
  };
