import type { Request, Response } from 'express';
import type { Authentication } from '../auth/index.ts';
import { consentSession, createSessions, oauth2Path } from '../auth/session.ts';
import { TooManyRequests, Unauthenticated } from '../errors.ts';
import { authRequestOf, clientAddress, isSecure } from '../http/identify.ts';
import { requestStateOf } from '../http/request-state.ts';
import type { Services } from '../services.ts';
import { type ProvenUser, requireNotEnded, requirePassword } from '../store/tokens/credentials.ts';
import {
  type AuthorizationRequest,
  codeUrl,
  denialUrl,
  readAuthorizationRequest,
  refusalUrl,
} from './authorize.ts';
import { type PageContext, sendConsentPage, sendLogInPage } from './html-pages.ts';
import { carriedOf, formOf, type OAuth2Parameters, parametersOf, withParameters } from './parameters.ts';

interface Visit {
  readonly parameters: OAuth2Parameters;
  readonly authorization: AuthorizationRequest;
}

type Handler = (request: Request, response: Response) => Promise<void>;

/** §5: the handlers of the log-in form and the consent page. */
interface PageHandlers {
  readonly authorize: Handler;
  readonly logIn: Handler;
  readonly submit: Handler;
}

export function createPageHandlers(
  { config, database, secrets }: Pick<Services, 'config' | 'database' | 'secrets'>,
  authentication: Pick<Authentication, 'authenticate' | 'logIn'>,
): PageHandlers {
  const { CONTEXT_PATH: contextPath, PUBLIC_URL: publicUrl } = config;
  const path = `${contextPath}${oauth2Path}`;
  const sessions = createSessions(secrets, consentSession);
  const reachOf = (request: Request) => ({ contextPath, isSecure: isSecure(request, publicUrl) });

  const dbOf = (response: Response) => database.metered(requestStateOf(response).meter);

  const readVisit = async (request: Request, response: Response): Promise<Visit> => {
    const parameters = parametersOf(request);
    return { parameters, authorization: await readAuthorizationRequest(dbOf(response), parameters) };
  };
  const pageOf = ({ parameters, authorization: { client, redirectUri } }: Visit): PageContext => ({
    path,
    redirectUri,
    parameters,
    clientName: client.name || client.clientId,
  });
  /** Returns the user of the credentials in the request, or of its session if it has none. @throws Forbidden */
  const findUser = async (request: Request, response: Response): Promise<ProvenUser | undefined> => {
    const { authorization, 'x-authentication-token': token } = request.headers;
    if (authorization === undefined && token === undefined) {
      const sealed = sessions.sealedOf(request.headers);
      const session = sealed === undefined ? undefined : await sessions.read(sealed, dbOf(response));
      const account = session?.account;
      return account && { id: account.id, endedBefore: account.credentialsEndedAt };
    }
    const user = await authentication.authenticate(authRequestOf(request, response, contextPath));
    requirePassword(user, 'consent');
    return user;
  };
  const redirectWithCode = async (
    request: Request,
    response: Response,
    { parameters, authorization, user }: Visit & { readonly user: ProvenUser },
  ): Promise<void> =>
    response.redirect(
      await dbOf(response).transaction(config.TRANSACTION_TIMEOUT, async (db) => {
        await requireNotEnded(db, user);
        return codeUrl(request, parameters, { authorization, user, db });
      }),
    );
  const authorizeUrl = ({ parameters }: Visit): string =>
    withParameters(`${path}/authorize`, carriedOf(parameters));

  return {
    authorize: async (request, response) => {
      const visit = await readVisit(request, response);
      const refusal = await refusalUrl(request, visit.parameters, visit.authorization);
      if (refusal) return response.redirect(refusal);
      const user = await findUser(request, response);
      if (!user) return sendLogInPage(response, pageOf(visit));
      if (visit.authorization.client.autoGrant)
        return redirectWithCode(request, response, { ...visit, user });
      return sendConsentPage(response, pageOf(visit), user.id);
    },

    logIn: async (request, response) => {
      const visit = await readVisit(request, response);
      const { username = '', password = '' } = formOf(request);
      try {
        const account = await authentication.logIn(username, password, {
          address: clientAddress(request),
          db: dbOf(response),
        });
        if (!account) {
          response.status(401);
          return sendLogInPage(response, pageOf(visit), 'The user name or the password is wrong.');
        }
        sessions.begin(response, account, reachOf(request));
        return response.redirect(303, authorizeUrl(visit));
      } catch (error) {
        if (!(error instanceof TooManyRequests)) throw error;
        response.status(429).set('Retry-After', String(error.retryAfter));
        const fault = `Too many attempts: try again in ${error.retryAfter} seconds.`;
        return sendLogInPage(response, pageOf(visit), fault);
      }
    },

    submit: async (request, response) => {
      const visit = await readVisit(request, response);
      const user = await findUser(request, response);
      if (!user) {
        // The session has expired, so browsers are sent to the log-in form again.
        if (request.accepts(['json', 'html']) === 'html') return response.redirect(303, authorizeUrl(visit));
        throw new Unauthenticated('authentication is required');
      }
      sessions.end(response, reachOf(request));
      if (formOf(request).grant_access !== '1')
        return response.redirect(denialUrl(visit.parameters, visit.authorization));
      return redirectWithCode(request, response, { ...visit, user });
    },
  };
}
