import { ServerResponse } from 'node:http';
import type { Request, Response } from 'express';
import { AppError } from '../../errors.ts';
import { asAppError, statuses } from '../../http/errors.ts';
import { requesterOf } from '../../http/identify.ts';
import { requireAdministrator } from '../../security/principal.ts';
import { sendResponse } from '../answer/send-response.ts';
import type { RouteCompiler } from '../compile-route.ts';
import type { Facade } from '../facade.ts';
import type { Route } from '../route.ts';
import { setVary } from '../serve-route.ts';
import { decisions } from './decisions.ts';
import { headerEffects } from './header-effects.ts';
import { createMask, type Mask } from './mask.ts';
import { operationEntry, statementEntry } from './operation-entries.ts';
import { type Recording, record } from './record.ts';

/**
 * A response without a connection. It closes at the first write, as if the client had disconnected, so that only
 * the beginning of a file is read.
 */
function standInFor(request: Request, response: Response, onBegin: () => void): Response {
  const prototype = Object.getPrototypeOf(response);
  const standIn = Object.setPrototypeOf(new ServerResponse(request), prototype) as Response;
  const leave = () => {
    onBegin();
    process.nextTick(() => standIn.destroy().emit('close'));
  };
  return Object.assign(standIn, {
    locals: response.locals,
    write: () => {
      leave();
      return false;
    },
    end: () => {
      leave();
      return standIn;
    },
  });
}

/** Runs a request with a stand-in response and returns the status that the response would have had. */
async function answerStatus(
  request: Request,
  response: Response,
  answer: (request: Request, response: Response) => unknown,
): Promise<number> {
  let status: number | undefined;
  const standIn = standInFor(request, response, () => {
    status ??= standIn.statusCode;
  });
  request.res = standIn; // Express compares conditional headers with the headers of `request.res`.
  try {
    await answer(request, standIn);
  } finally {
    request.res = response;
  }
  return status ?? standIn.statusCode;
}

type ServeRequest = (request: Request, response: Response) => unknown;

interface Outcome {
  readonly status: number;
  readonly error: { readonly code: string; readonly message: string } | null;
}

/**
 * Runs a call and returns its status and error.
 * @throws any error that is not an AppError, because it is a bug
 */
async function outcomeOf(request: Request, response: Response, serve: ServeRequest): Promise<Outcome> {
  try {
    return { status: await answerStatus(request, response, serve), error: null };
  } catch (caught) {
    const error = asAppError(caught);
    if (!(error instanceof AppError)) throw error;
    const { code, message } = error;
    return { status: statuses[code], error: { code, message } };
  }
}

/**
 * Returns the HTTP status of an explanation. Statuses without a body (204, 304, redirects) become 200, because an
 * explanation always has a body.
 */
const sentStatus = (status: number): number =>
  [200, 201, 202].includes(status) || status >= 400 ? status : 200;

function effectsOf(request: Request, route: Route, using: Parameters<typeof headerEffects>[2]) {
  try {
    return headerEffects(request, route, using);
  } catch (error) {
    if (error instanceof AppError) return []; // The explanation already reports the invalid header.
    throw error;
  }
}

interface Explainer {
  /**
   * Explains a call (§9 `Prefer: explain`).
   * @throws Forbidden if the caller is not an administrator
   */
  explain(route: Route, serving: (facade: Facade) => ServeRequest): ServeRequest;
}

/**
 * Creates the handler that shows administrators what a call would do. It runs the call in a transaction that is
 * rolled back, and responds with a record of the call.
 */
export function createExplainer(facade: Facade, compile: RouteCompiler): Explainer {
  const { contributed, secretFields, baseUrlOf, services } = facade;
  const { blobs, config } = services;
  const mask: Mask = createMask(secretFields);

  async function entityOf(route: Route, request: Request, outcome: Outcome, recording: Recording) {
    const { operations, statements, sent } = recording;
    const graphqlUrl = config.GRAPHIQL ? baseUrlOf(request).replace(/\/api\/v1$/, '/graphql') : undefined;
    const { name, method, path } = route;
    return {
      'entity-type': 'explain',
      ...outcome,
      route: { name, method: method.toUpperCase(), path },
      headers: effectsOf(request, route, { contributed, compile, mask }),
      operations: operations.map((each) => operationEntry(each, mask, graphqlUrl)),
      statements: statements.map(statementEntry),
      statementCount: sent(),
      permissions: await decisions(facade, recording),
    };
  }

  return {
    explain: (route, serving) => async (request, response) => {
      const { user } = requesterOf(response);
      requireAdministrator(user, 'use Prefer: explain');
      const recording = record(facade);
      const outcome = await outcomeOf(request, response, serving(recording.facade));
      const value = await entityOf(route, request, outcome, recording);
      setVary(response, []);
      response.set({ 'Cache-Control': 'no-store', 'Preference-Applied': 'explain' });
      response.status(sentStatus(outcome.status));
      await sendResponse(
        { as: 'entity', value },
        {
          request,
          response,
          blobs,
          answerLimit: config.ANSWER_LIMIT,
          hasReadMuch: true,
          onSent: () => {},
          onWritten: () => {},
        },
      );
    },
  };
}
