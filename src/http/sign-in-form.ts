import express, { type Request, type RequestHandler, type Response, Router } from 'express';
import { z } from 'zod';
import type { Authentication } from '../auth/index.ts';
import { Invalid, MethodNotAllowed, Unauthenticated } from '../errors.ts';
import type { Services } from '../services.ts';
import { enableSecondFactor, issuerOf, prepareSecondFactor } from '../store/tokens/second-factor.ts';
import type { ConsoleSessions } from './console-sessions.ts';
import { clientAddress } from './identify.ts';
import { requestStateOf } from './request-state.ts';
import { sameOrigin } from './same-origin.ts';
import type { SecondStep } from './second-step.ts';
import { requireUtf8 } from './unreadable.ts';

const form = z.object({ username: z.string().min(1), password: z.string() });
const codeForm = z.object({ code: z.string().min(1).max(100) });
const setupForm = z.object({ code: z.string().min(1).max(100), ticket: z.string().min(1).max(2_000) });

/**
 * `POST /login` with `{username, password}` starts a console session (§5). For an account with a second factor, the
 * response is `{"secondFactor": "code"}`, and `POST /login/code` starts the session. If the account needs a second
 * factor but has none, the response is `{"secondFactor": "setup"}`, and `POST /login/setup` first returns a secret and
 * then confirms it.
 */
export function signInForm(
  services: Pick<Services, 'config' | 'database' | 'journal' | 'model' | 'secrets'>,
  authentication: Pick<Authentication, 'logIn' | 'redeem'>,
  {
    sessions,
    secondStep,
  }: { readonly sessions: Pick<ConsoleSessions, 'begin'>; readonly secondStep: SecondStep },
): Router {
  const { config, database, journal, secrets } = services;
  const dbOf = (response: Response) => database.metered(requestStateOf(response).meter);
  const contextOf = (request: Request, response: Response) => ({
    address: clientAddress(request),
    db: dbOf(response),
  });

  const signIn: RequestHandler = async (request, response) => {
    const { data } = form.safeParse(request.body);
    if (!data) throw new Invalid('The body must be {"username": …, "password": …}.');
    const account = await authentication.logIn(data.username, data.password, contextOf(request, response));
    if (!account) throw new Unauthenticated('The user name or the password is wrong.');
    const secondFactor = secondStep.begin(request, response, account);
    if (secondFactor) return void response.json({ secondFactor });
    await sessions.begin(request, response, account);
    response.status(204).end();
  };

  const enterCode: RequestHandler = async (request, response) => {
    const { data } = codeForm.safeParse(request.body);
    if (!data) throw new Invalid('The body must be {"code": …}.');
    const account = await secondStep.accountOf(request, response, 'code');
    if (!(await authentication.redeem(account.id, data.code, contextOf(request, response))))
      throw new Unauthenticated('The code is wrong or was already used.');
    secondStep.end(request, response);
    await sessions.begin(request, response, account);
    response.status(204).end();
  };

  const setUp: RequestHandler = async (request, response) => {
    const account = await secondStep.accountOf(request, response, 'setup');
    const { id } = account;
    if (Object.keys(request.body ?? {}).length === 0)
      return void response.json(await prepareSecondFactor(secrets, id, issuerOf(config)));
    const { data } = setupForm.safeParse(request.body);
    if (!data) throw new Invalid('The body must be {"ticket": …, "code": …}, or empty for a new secret.');
    const recoveryCodes = await dbOf(response).transaction(config.TRANSACTION_TIMEOUT, (db) =>
      enableSecondFactor({ db, services, user: { id }, options: { comment: undefined } }, id, data),
    );
    journal.loggedIn({ username: id, method: 'form with code', address: clientAddress(request) });
    secondStep.end(request, response);
    await sessions.begin(request, response, { ...account, hasSecondFactor: true });
    response.json({ recoveryCodes });
  };

  const router = Router();
  const json = express.json({ limit: '16kb', verify: requireUtf8 });
  const notCached: RequestHandler = (_request, response, next) => {
    response.set('Cache-Control', 'no-store');
    next();
  };
  const isOwn = sameOrigin({ publicUrl: config.PUBLIC_URL, allowed: [] });
  for (const [path, handler] of [
    ['/', signIn],
    ['/code', enterCode],
    ['/setup', setUp],
  ] as const) {
    router.route(path).post(isOwn, notCached, json, handler);
    router.all(path, ({ method }) => {
      throw new MethodNotAllowed(method, ['POST']);
    });
  }
  return router;
}
