import type { Request, Response } from 'express';
import type { Authentication } from '../auth/index.ts';
import { secondStepOf } from '../auth/second-factor.ts';
import { consentSession, createSessions, oauth2Path } from '../auth/session.ts';
import { signInOptions } from '../auth/sign-in-options.ts';
import { AppError, Conflict, Forbidden, Invalid, TooManyRequests, Unauthenticated } from '../errors.ts';
import { statusOf } from '../http/errors.ts';
import { authRequestOf, clientAddress, isSecure } from '../http/identify.ts';
import { deviceRecorder } from '../http/known-devices.ts';
import { requestStateOf } from '../http/request-state.ts';
import type { SecondStep } from '../http/second-step.ts';
import type { Services } from '../services.ts';
import { recordEvents } from '../store/audit/audit.ts';
import { credentialEvent } from '../store/authorities/events.ts';
import { canReset } from '../store/authorities/password-resets.ts';
import { type ProvenUser, requireNotEnded, requirePassword } from '../store/tokens/credentials.ts';
import {
  type AuthorizationRequest,
  codeUrl,
  denialUrl,
  readAuthorizationRequest,
  refusalUrl,
} from './authorize.ts';
import { type PageContext, providerUrl, sendCodePage, sendConsentPage, sendLogInPage } from './html-pages.ts';
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
  readonly enterCode: Handler;
  readonly submit: Handler;
}

const setUpFirst =
  'Your account needs a second factor. Sign in to the console of this server to set one up, then try again.';

/**
 * Returns the text that a form shows for an error, and sets the status of the response. @throws any other error,
 * unchanged
 */
function faultOf(response: Response, error: unknown): string {
  if (error instanceof TooManyRequests) {
    response.status(429).set('Retry-After', String(error.retryAfter));
    return `Too many attempts. Try again in ${error.retryAfter} seconds.`;
  }
  const isShown = [Invalid, Unauthenticated, Forbidden, Conflict].some((kind) => error instanceof kind);
  if (!(error instanceof AppError && isShown)) throw error;
  response.status(statusOf(error.code));
  return error.message;
}

export function createPageHandlers(
  services: Pick<Services, 'config' | 'database' | 'identityProviders' | 'model' | 'secrets'>,
  authentication: Pick<Authentication, 'authenticate' | 'logIn' | 'redeem'>,
  secondStep: SecondStep,
): PageHandlers {
  const { config, database } = services;
  const { CONTEXT_PATH: contextPath, PUBLIC_URL: publicUrl } = config;
  const options = signInOptions(services);
  const path = `${contextPath}${oauth2Path}`;
  const sessions = createSessions(services, consentSession);
  const recordDevice = deviceRecorder(services);
  const reachOf = (request: Request) => ({ contextPath, isSecure: isSecure(request, publicUrl) });

  const dbOf = (response: Response) => database.metered(requestStateOf(response).meter);

  const contextOf = (request: Request, response: Response) => ({
    address: clientAddress(request),
    db: dbOf(response),
  });

  const readVisit = async (request: Request, response: Response): Promise<Visit> => {
    const parameters = parametersOf(request);
    return { parameters, authorization: await readAuthorizationRequest(dbOf(response), parameters) };
  };
  const pageOf = ({ parameters, authorization: { client, redirectUri } }: Visit): PageContext => ({
    path,
    redirectUri,
    parameters,
    clientName: client.name || client.clientId,
    forgotten: canReset(config) ? `${contextPath}/password/forgotten` : undefined,
    options,
  });
  /**
   * Returns the user whose credentials are in the request or, if it contains no credentials, the user of the session.
   * @throws Forbidden
   */
  const findUser = async (request: Request, response: Response): Promise<ProvenUser | undefined> => {
    const { authorization, 'x-authentication-token': token } = request.headers;
    if (authorization === undefined && token === undefined) {
      const sealed = sessions.sealedOf(request.headers);
      const session = sealed === undefined ? undefined : await sessions.read(sealed, dbOf(response));
      const account = session?.account;
      if (!account) return undefined;
      // Sign-ins with an identity provider are exempt, because the provider checks its own factors.
      const isAtProvider = session.identitySession !== undefined;
      if (!isAtProvider && secondStepOf(config, account) === 'setup') return undefined;
      return { id: account.id, endedBefore: account.credentialsEndedAt };
    }
    const user = await authentication.authenticate(authRequestOf(request, response, contextPath));
    requirePassword(user, 'grant access');
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
        const scope = { db, services, user, options: { comment: undefined } };
        const application = authorization.client.clientId;
        await recordEvents(scope, [credentialEvent(user.id, { created: 'grant', application })]);
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
      if (!user) {
        const [only, ...others] = options.providers;
        // With a single provider and no passwords, there is nothing for the user to choose or enter.
        if (!options.passwords && only && others.length === 0)
          return response.redirect(303, providerUrl(only.address, pageOf(visit)));
        return sendLogInPage(response, pageOf(visit));
      }
      if (visit.authorization.client.autoGrant)
        return redirectWithCode(request, response, { ...visit, user });
      return sendConsentPage(response, pageOf(visit), user.id);
    },

    logIn: async (request, response) => {
      const visit = await readVisit(request, response);
      const { username = '', password = '' } = formOf(request);
      try {
        const account = await authentication.logIn(username, password, contextOf(request, response));
        if (!account) {
          response.status(401);
          return sendLogInPage(response, pageOf(visit), 'The user name or the password is wrong.');
        }
        const step = secondStep.begin(request, response, account);
        if (step === 'code') return sendCodePage(response, pageOf(visit));
        if (step === 'setup') {
          response.status(403);
          return sendLogInPage(response, pageOf(visit), setUpFirst);
        }
        sessions.begin(response, account, reachOf(request));
        await recordDevice(request, response, account.id);
        return response.redirect(303, authorizeUrl(visit));
      } catch (error) {
        return sendLogInPage(response, pageOf(visit), faultOf(response, error));
      }
    },

    enterCode: async (request, response) => {
      const visit = await readVisit(request, response);
      const { code = '' } = formOf(request);
      try {
        const account = await secondStep.accountOf(request, response, 'code');
        if (!(await authentication.redeem(account.id, code, contextOf(request, response)))) {
          response.status(401);
          return sendCodePage(response, pageOf(visit), 'The code is wrong or was already used.');
        }
        secondStep.end(request, response);
        sessions.begin(response, account, reachOf(request));
        await recordDevice(request, response, account.id);
        return response.redirect(303, authorizeUrl(visit));
      } catch (error) {
        if (error instanceof TooManyRequests || error instanceof Unauthenticated)
          return sendCodePage(response, pageOf(visit), faultOf(response, error));
        return sendLogInPage(response, pageOf(visit), faultOf(response, error));
      }
    },

    submit: async (request, response) => {
      const visit = await readVisit(request, response);
      const user = await findUser(request, response);
      if (!user) {
        // The session has expired, so the browser is redirected to the log-in form.
        if (request.accepts(['json', 'html']) === 'html') return response.redirect(303, authorizeUrl(visit));
        throw new Unauthenticated('Authentication is required.');
      }
      sessions.end(response, reachOf(request));
      if (formOf(request).grant_access !== '1')
        return response.redirect(denialUrl(visit.parameters, visit.authorization));
      return redirectWithCode(request, response, { ...visit, user });
    },
  };
}
