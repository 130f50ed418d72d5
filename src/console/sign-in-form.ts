import express, { type RequestHandler, type Response, Router } from 'express';
import { z } from 'zod';
import type { Authentication } from '../auth/index.ts';
import { consoleSession, createSessions } from '../auth/session.ts';
import { Invalid, MethodNotAllowed, Unauthenticated } from '../errors.ts';
import { clientAddress, isSecure } from '../http/identify.ts';
import { requestStateOf } from '../http/request-state.ts';
import { sameOrigin } from '../http/same-origin.ts';
import { requireUtf8 } from '../http/unreadable.ts';
import type { Services } from '../services.ts';

const form = z.object({ username: z.string().min(1), password: z.string() });

/** `POST /login` with `{username, password}` begins a session of the console (§5). `/logout` ends it. */
export function signInForm(
  { config, database, secrets }: Pick<Services, 'config' | 'database' | 'secrets'>,
  authentication: Pick<Authentication, 'logIn'>,
): Router {
  const { CONTEXT_PATH: contextPath, PUBLIC_URL: publicUrl } = config;
  const sessions = createSessions(secrets, consoleSession);
  const dbOf = (response: Response) => database.metered(requestStateOf(response).meter);
  const signIn: RequestHandler = async (request, response) => {
    const { data } = form.safeParse(request.body);
    if (!data) throw new Invalid('the body must be {"username": …, "password": …}');
    const account = await authentication.logIn(data.username, data.password, {
      address: clientAddress(request),
      db: dbOf(response),
    });
    if (!account) throw new Unauthenticated('the user name or the password is wrong');
    sessions.begin(response, account, { contextPath, isSecure: isSecure(request, publicUrl) });
    response.set('Cache-Control', 'no-store').status(204).end();
  };
  const router = Router();
  const json = express.json({ limit: '16kb', verify: requireUtf8 });
  router.route('/').post(sameOrigin({ publicUrl, allowed: [] }), json, signIn);
  router.all('/', ({ method }) => {
    throw new MethodNotAllowed(method, ['POST']);
  });
  return router;
}
