import escapeHtml from 'escape-html';
import express, { type Request, type RequestHandler, type Response, Router } from 'express';
import { Invalid, MethodNotAllowed, NotFound } from '../errors.ts';
import { type Language, labelText } from '../model/labels.ts';
import type { Services } from '../services.ts';
import { acceptInvitation, invitedUser } from '../store/authorities/invitations.ts';
import { requestLanguage } from './caller.ts';
import { sendPage } from './page.ts';
import { requestStateOf } from './request-state.ts';
import { requireUtf8 } from './unreadable.ts';

const texts = [
  'welcome',
  'choose',
  'password',
  'again',
  'save',
  'differ',
  'empty',
  'done',
  'signIn',
  'over',
  'askAgain',
] as const;

const textsIn = (language: Language) =>
  Object.fromEntries(texts.map((name) => [name, labelText(`page.invitation.${name}`, language)])) as Record<
    (typeof texts)[number],
    string
  >;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function sendOver(request: Request, response: Response): void {
  const language = requestLanguage(request);
  const { over, askAgain } = textsIn(language);
  const body = `<h1>${over}</h1><p class="fault" role="alert">${askAgain}</p>`;
  response.status(404);
  sendPage(response, { title: over, body, language });
}

/** Serves the pages on which invited users set their password. */
export function invitations(services: Services): Router {
  const { config, database } = services;
  const action = `${config.CONTEXT_PATH}/site/userInvitation/validate`;
  const dbOf = (response: Response) => database.metered(requestStateOf(response).meter);

  const sendForm = (request: Request, response: Response, user: string, token: string, fault?: string) => {
    const language = requestLanguage(request);
    const { welcome, choose, password, again, save } = textsIn(language);
    const body = `<h1>${welcome}</h1>
<p>${choose} <strong>${escapeHtml(user)}</strong>.</p>
${fault === undefined ? '' : `<p class="fault" role="alert">${escapeHtml(fault)}</p>`}
<form method="post" action="${escapeHtml(action)}"><input type="hidden" name="token" value="${escapeHtml(token)}">
<label>${password}<input name="Password" type="password" autocomplete="new-password" required autofocus></label>
<label>${again}<input name="PasswordConfirmation" type="password" autocomplete="new-password" required></label>
<div class="actions"><button class="main">${save}</button></div>
</form>`;
    sendPage(response, { title: welcome, body, language });
  };

  const show: RequestHandler = async (request, response) => {
    const token = textOf(request.query.token);
    const user = await invitedUser(dbOf(response), token);
    if (!user) return sendOver(request, response);
    return sendForm(request, response, user.id, token);
  };

  const accept: RequestHandler = async (request, response) => {
    const form = (request.body ?? {}) as Record<string, unknown>;
    const [token, password] = [textOf(form.token), textOf(form.Password)];
    const language = requestLanguage(request);
    const { differ, empty, done, signIn } = textsIn(language);
    const fault =
      password !== textOf(form.PasswordConfirmation) ? differ : password === '' ? empty : undefined;
    try {
      if (fault !== undefined) throw new Invalid(fault);
      const accepted = { token, password, language };
      const user = await acceptInvitation({ db: dbOf(response), services }, accepted);
      const body = `<h1>${done}</h1><p>${signIn} <strong>${escapeHtml(user)}</strong>.</p>`;
      return sendPage(response, { title: done, body, language });
    } catch (error) {
      if (error instanceof NotFound) return sendOver(request, response);
      if (!(error instanceof Invalid)) throw error;
      const user = await invitedUser(dbOf(response), token);
      if (!user) return sendOver(request, response);
      response.status(400);
      return sendForm(request, response, user.id, token, error.message);
    }
  };

  const router = Router();
  const readForm = express.urlencoded({
    extended: false,
    limit: '16kb',
    parameterLimit: 10,
    verify: requireUtf8,
  });
  router.route('/enterpassword').get(show);
  router.route('/validate').post(readForm, accept);
  for (const [path, allowed] of [
    ['/enterpassword', ['GET', 'HEAD']],
    ['/validate', ['POST']],
  ] as const)
    router.all(path, ({ method }) => {
      throw new MethodNotAllowed(method, allowed);
    });
  return router;
}
