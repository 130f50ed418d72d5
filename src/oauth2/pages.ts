import type { Request, Response } from 'express';
import { TooManyRequests, Unauthenticated } from '../errors.ts';
import { addressOf, isSecure, visitorOf } from '../http/identify.ts';
import { progressOf } from '../http/progress.ts';
import { codeAt, denialAt, refusalAt } from './authorize.ts';
import { type Asking, askingClient } from './clients.ts';
import { type Question, sendLogIn, sendQuestion } from './page.ts';
import { carriedOf, formOf, type Parameters, parametersOf, withParameters } from './parameters.ts';
import { type OAuth2Services, place } from './services.ts';
import { createSessions } from './session.ts';

/** A request whose client is known. */
interface Visit {
  readonly parameters: Parameters;
  readonly asking: Asking;
}

type Handler = (request: Request, response: Response) => Promise<void>;

/** §5: the log-in, the question, and what becomes of the answer. */
export interface Pages {
  readonly authorize: Handler;
  readonly logIn: Handler;
  readonly submit: Handler;
}

export function createPages(services: OAuth2Services): Pages {
  const { database, secrets, authentication, contextPath, publicUrl } = services;
  const path = `${contextPath}${place}`;
  const sessions = createSessions(secrets, ({ req }) => ({
    contextPath,
    isSecure: isSecure(req, publicUrl),
  }));

  const dbOf = (response: Response) => database.metered(progressOf(response).meter);

  const visitOf = async (request: Request, response: Response): Promise<Visit> => {
    const parameters = parametersOf(request);
    return { parameters, asking: await askingClient(dbOf(response), parameters) };
  };
  const questionOf = ({ parameters, asking: { client, redirectUri } }: Visit): Question => ({
    ...{ path, redirectUri, parameters, clientName: client.name || client.clientId },
  });
  /** Whoever logged in at the form, or brings credentials as any request may. */
  const userOf = (request: Request, response: Response): Promise<{ readonly id: string } | undefined> => {
    const { authorization, 'x-authentication-token': token } = request.headers;
    return authorization !== undefined || token !== undefined
      ? authentication.authenticate(visitorOf(request, response, contextPath))
      : sessions.read(request, dbOf(response));
  };
  const grantAt = (
    request: Request,
    response: Response,
    { parameters, asking, user }: Visit & { readonly user: { readonly id: string } },
  ) =>
    dbOf(response).transaction(services.transactionTimeout, (db) =>
      codeAt(request, parameters, { asking, user, db }),
    );
  const askAgainAt = ({ parameters }: Visit): string =>
    withParameters(`${path}/authorize`, carriedOf(parameters));

  return {
    authorize: async (request, response) => {
      const visit = await visitOf(request, response);
      const refusal = await refusalAt(request, visit.parameters, visit.asking);
      if (refusal) return response.redirect(refusal);
      const user = await userOf(request, response);
      if (!user) return sendLogIn(response, questionOf(visit));
      if (visit.asking.client.autoGrant)
        return response.redirect(await grantAt(request, response, { ...visit, user }));
      return sendQuestion(response, questionOf(visit), user.id);
    },

    logIn: async (request, response) => {
      const visit = await visitOf(request, response);
      const { username = '', password = '' } = formOf(request);
      try {
        const account = await authentication.logIn(username, password, {
          address: addressOf(request),
          db: dbOf(response),
        });
        if (!account) {
          response.status(401);
          return sendLogIn(response, questionOf(visit), 'That is not a user name and its password.');
        }
        sessions.begin(response, account);
        return response.redirect(303, askAgainAt(visit));
      } catch (error) {
        if (!(error instanceof TooManyRequests)) throw error;
        response.status(429).set('Retry-After', String(error.retryAfter));
        const fault = `Too many attempts: try again in ${error.retryAfter} seconds.`;
        return sendLogIn(response, questionOf(visit), fault);
      }
    },

    submit: async (request, response) => {
      const visit = await visitOf(request, response);
      const user = await userOf(request, response);
      if (!user) {
        // The session is over, while somebody thought about it.
        if (request.accepts(['json', 'html']) === 'html') return response.redirect(303, askAgainAt(visit));
        throw new Unauthenticated('authentication is required');
      }
      sessions.end(response);
      const { parameters, asking } = visit;
      if (formOf(request).grant_access !== '1') return response.redirect(denialAt(parameters, asking));
      return response.redirect(await grantAt(request, response, { ...visit, user }));
    },
  };
}
