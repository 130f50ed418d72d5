import express, { type ErrorRequestHandler, type RequestHandler, Router } from 'express';
import type { Authentication } from '../auth/index.ts';
import { oauth2Path } from '../auth/session.ts';
import { Invalid, MethodNotAllowed } from '../errors.ts';
import { sameOrigin } from '../http/same-origin.ts';
import type { SecondStep } from '../http/second-step.ts';
import { requireUtf8 } from '../http/unreadable.ts';
import type { Services } from '../services.ts';
import { sendErrorPage } from './html-pages.ts';
import { createPageHandlers } from './page-handlers.ts';
import { tokenEndpoint } from './token-endpoint.ts';

/** Sends the error for an invalid request: an HTML page to browsers, and OAuth 2.0 JSON to other clients. */
const sendFault: ErrorRequestHandler = (error: unknown, request, response, next) => {
  if (!(error instanceof Invalid)) return next(error);
  response.status(400);
  if (request.accepts(['json', 'html']) === 'html') return sendErrorPage(response, error.message);
  response.json({ error: 'invalid_request', error_description: error.message });
};

const notCached: RequestHandler = (_, response, next) => {
  response.set('Cache-Control', 'no-store');
  next();
};

/** Parses form parameters. Bodies with other media types are treated as empty. */
const readForm = express.urlencoded({
  extended: false,
  limit: '64kb',
  parameterLimit: 50,
  verify: requireUtf8,
});

/** Creates the OAuth 2.0 endpoints below `/oauth2` (§5). */
export function oauth2Endpoints(
  services: Services,
  authentication: Authentication,
  secondStep: SecondStep,
): Router {
  const pages = createPageHandlers(services, authentication, secondStep);
  const sameOriginForm = [sameOrigin({ publicUrl: services.config.PUBLIC_URL, allowed: [] }), readForm];
  const router = Router();
  router.route('/authorize').get(pages.authorize);
  router.route('/log_in').post(...sameOriginForm, pages.logIn);
  router.route('/log_in_code').post(...sameOriginForm, pages.enterCode);
  router.route('/authorize_submit').post(...sameOriginForm, pages.submit);
  router.route('/token').post(readForm, tokenEndpoint(services));
  for (const path of ['/authorize', '/log_in', '/log_in_code', '/authorize_submit', '/token']) {
    router.all(path, ({ method }) => {
      throw new MethodNotAllowed(method, path === '/authorize' ? ['GET', 'HEAD'] : ['POST']);
    });
  }
  const mounted = Router();
  mounted.use(oauth2Path, notCached, router, sendFault);
  return mounted;
}
