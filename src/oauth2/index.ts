import express, { type ErrorRequestHandler, type RequestHandler, Router } from 'express';
import { translate } from '../db/errors.ts';
import { Invalid, MethodNotAllowed } from '../errors.ts';
import { sameOrigin } from '../http/same-origin.ts';
import { sendFault } from './page.ts';
import { createPages } from './pages.ts';
import { type OAuth2Services, place } from './services.ts';
import { tokenEndpoint } from './token-endpoint.ts';

/** What is wrong with a request, as a page for people and as the protocol's JSON for programs. */
const tellFault: ErrorRequestHandler = (raw, request, response, next) => {
  const error = translate(raw);
  if (!(error instanceof Invalid)) return next(error);
  response.status(400);
  if (request.accepts(['json', 'html']) === 'html') return sendFault(response, error.message);
  response.json({ error: 'invalid_request', error_description: error.message });
};

const notCached: RequestHandler = (_, response, next) => {
  response.set('Cache-Control', 'no-store');
  next();
};

/** A form is read where it is one; anything else has no parameters. */
const readForm = express.urlencoded({ extended: false, limit: '64kb', parameterLimit: 50 });

/** §5: OAuth 2.0 below `/oauth2`, for an application context. */
export function oauth2Endpoints(services: OAuth2Services): Router {
  const pages = createPages(services);
  const fromHere = [sameOrigin({ publicUrl: services.publicUrl, named: [] }), readForm];
  const router = Router();
  router.route('/authorize').get(pages.authorize);
  router.route('/log_in').post(...fromHere, pages.logIn);
  router.route('/authorize_submit').post(...fromHere, pages.submit);
  router.route('/token').post(readForm, tokenEndpoint(services));
  for (const path of ['/authorize', '/log_in', '/authorize_submit', '/token']) {
    router.all(path, ({ method }) => {
      throw new MethodNotAllowed(method, path === '/authorize' ? ['GET', 'HEAD'] : ['POST']);
    });
  }
  const whole = Router();
  whole.use(place, notCached, router, tellFault);
  return whole;
}
