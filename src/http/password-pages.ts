import escapeHtml from 'escape-html';
import express, { type Request, type RequestHandler, type Response, Router } from 'express';
import { Invalid, MethodNotAllowed, NotFound, TooManyRequests } from '../errors.ts';
import { filledLabel, labelText } from '../model/labels.ts';
import type { Services } from '../services.ts';
import { canReset, requestReset, resetPassword, userOfReset } from '../store/authorities/password-resets.ts';
import { requestLanguage } from './caller.ts';
import { clientAddress } from './identify.ts';
import { sendPage } from './page.ts';
import { requestStateOf } from './request-state.ts';
import { sameOrigin } from './same-origin.ts';
import { requireUtf8 } from './unreadable.ts';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const alert = (fault: string | undefined): string =>
  fault === undefined ? '' : `<p class="fault" role="alert">${escapeHtml(fault)}</p>`;

/**
 * The pages below `/password`, on which users request a link to reset a forgotten password and then set a new one.
 */
export function passwordPages(services: Services): Router {
  const { attempts, config, database } = services;
  const { CONTEXT_PATH: contextPath, PUBLIC_URL: publicUrl } = config;
  const path = `${contextPath}/password`;
  const dbOf = (response: Response) => database.metered(requestStateOf(response).meter);
  const textIn = (request: Request) => {
    const language = requestLanguage(request);
    return (name: string): string => labelText(`page.password.${name}`, language);
  };

  const sendNameForm = (request: Request, response: Response, fault?: string): void => {
    const [language, text] = [requestLanguage(request), textIn(request)];
    const title = text('forgotten');
    const body = `<h1>${title}</h1><p>${text('explain')}</p>${alert(fault)}
<form method="post" action="${escapeHtml(path)}/forgotten">
<label>${text('name')}<input name="name" autocomplete="username" autocapitalize="none" spellcheck="false" required autofocus></label>
<div class="actions"><button class="main">${text('send')}</button></div>
</form>`;
    sendPage(response, { title, body, language });
  };

  const sendMessage = (request: Request, response: Response, title: string, text: string): void =>
    sendPage(response, {
      title,
      body: `<h1>${title}</h1><p>${text}</p><p><a href="${escapeHtml(contextPath)}/">${textIn(request)('signIn')}</a></p>`,
      language: requestLanguage(request),
    });

  /** @throws NotFound if this server cannot send links by email */
  const requireMail: RequestHandler = (_request, _response, next) => {
    if (!canReset(config))
      throw new NotFound(
        'This server cannot reset passwords, because SMTP_URL or PUBLIC_URL is not set. Ask an administrator for a new password.',
      );
    next();
  };

  const forgotten: RequestHandler = async (request, response) => {
    const [address, text] = [clientAddress(request), textIn(request)];
    const name = textOf((request.body as Record<string, unknown> | undefined)?.name).trim();
    const language = requestLanguage(request);
    if (name === '') {
      response.status(400);
      return sendNameForm(request, response, text('nameMissing'));
    }
    try {
      attempts.requireNotBlocked(address, undefined);
    } catch (error) {
      if (!(error instanceof TooManyRequests)) throw error;
      response.status(429).set('Retry-After', String(error.retryAfter));
      const fault = filledLabel('page.password.tooMany', language, { seconds: String(error.retryAfter) });
      return sendNameForm(request, response, fault);
    }
    attempts.recordFailure(address, undefined); // Every request counts, so that no one can flood others with emails.
    await requestReset(dbOf(response), { name, language });
    return sendMessage(request, response, text('sent'), text('sentHint'));
  };

  const sendOver = (request: Request, response: Response): void => {
    const [text, language] = [textIn(request), requestLanguage(request)];
    const title = text('over');
    const body = `<h1>${title}</h1><p class="fault" role="alert">${text('overHint')}</p>
<p><a href="${escapeHtml(path)}/forgotten">${text('again')}</a></p>`;
    response.status(404);
    sendPage(response, { title, body, language });
  };

  const sendPasswordForm = (
    request: Request,
    response: Response,
    { user, token, fault }: { readonly user: string; readonly token: string; readonly fault?: string },
  ): void => {
    const [language, text] = [requestLanguage(request), textIn(request)];
    const title = text('choose');
    const field = (name: string, label: string, more = ''): string =>
      `<label>${label}<input name="${name}" type="password" autocomplete="new-password" required${more}></label>`;
    const body = `<h1>${title}</h1><p>${text('chooseFor')} <strong>${escapeHtml(user)}</strong>.</p>${alert(fault)}
<form method="post" action="${escapeHtml(path)}/reset"><input type="hidden" name="token" value="${escapeHtml(token)}">
${field('password', text('password'), ' autofocus')}
${field('again', text('repeat'))}
<div class="actions"><button class="main">${text('save')}</button></div>
</form>`;
    sendPage(response, { title, body, language });
  };

  const showReset: RequestHandler = async (request, response) => {
    const token = textOf(request.query.token);
    const user = await userOfReset(dbOf(response), token);
    if (!user) return sendOver(request, response);
    return sendPasswordForm(request, response, { user: user.id, token });
  };

  const reset: RequestHandler = async (request, response) => {
    const form = (request.body ?? {}) as Record<string, unknown>;
    const [token, password, text] = [textOf(form.token), textOf(form.password), textIn(request)];
    const language = requestLanguage(request);
    try {
      if (password === '') throw new Invalid(text('empty'));
      if (password !== textOf(form.again)) throw new Invalid(text('differ'));
      await resetPassword({ db: dbOf(response), services }, { token, password, language });
      return sendMessage(request, response, text('done'), text('doneHint'));
    } catch (error) {
      if (error instanceof NotFound) return sendOver(request, response);
      if (!(error instanceof Invalid)) throw error;
      const user = await userOfReset(dbOf(response), token);
      if (!user) return sendOver(request, response);
      response.status(400);
      return sendPasswordForm(request, response, { user: user.id, token, fault: error.message });
    }
  };

  const readForm = express.urlencoded({
    extended: false,
    limit: '16kb',
    parameterLimit: 10,
    verify: requireUtf8,
  });
  const isOwn = sameOrigin({ publicUrl, allowed: [] });
  const router = Router();
  router.route('/forgotten').get(requireMail, (request, response) => sendNameForm(request, response));
  router.route('/forgotten').post(isOwn, requireMail, readForm, forgotten);
  router.route('/reset').get(showReset).post(isOwn, readForm, reset);
  for (const address of ['/forgotten', '/reset'])
    router.all(address, ({ method }) => {
      throw new MethodNotAllowed(method, ['GET', 'HEAD', 'POST']);
    });
  return router;
}
