import escapeHtml from 'escape-html';
import express, {
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  type Response,
  Router,
} from 'express';
import { z } from 'zod';
import { verifyAtDirectories } from '../auth/directory-log-in.ts';
import { signInAtProvider, signInWithDirectory } from '../auth/identity-sign-in.ts';
import type { Authentication } from '../auth/index.ts';
import type { OidcClients } from '../auth/oidc/clients.ts';
import { createFlowCookies, type FlowPurpose, linkedUser, ssoPath } from '../auth/oidc/flow-cookies.ts';
import { readLogoutToken } from '../auth/oidc/logout-tokens.ts';
import { finishSignIn, type ProvenIdentity, startSignIn } from '../auth/oidc/sign-in.ts';
import { providerOfSession, requireOwnIdentity } from '../auth/own-identity.ts';
import { secondStepOf } from '../auth/second-factor.ts';
import { consentSession, consoleSession, createSessions, oauth2Path } from '../auth/session.ts';
import { signInOptions } from '../auth/sign-in-options.ts';
import { AppError, Forbidden, Invalid, MethodNotAllowed, NotFound, Unauthenticated } from '../errors.ts';
import type { UserDirectory } from '../ldap/directory.ts';
import { mapClaims } from '../security/identity-rules.ts';
import type { OidcProvider } from '../security/identity-settings.ts';
import type { Services } from '../services.ts';
import { endSessionsOfProvider } from '../store/authorities/identity-sessions.ts';
import { serverScope } from '../store/authorities/server-scope.ts';
import { originOf } from './caller.ts';
import type { ConsoleSessions } from './console-sessions.ts';
import { statusOf } from './errors.ts';
import { administratorsOnly, clientAddress, currentUser, identify, isSecure } from './identify.ts';
import { sendPage } from './page.ts';
import { requestStateOf } from './request-state.ts';
import { sameOrigin } from './same-origin.ts';
import { ownAddress } from './sign-in.ts';
import { requireUtf8 } from './unreadable.ts';

/** Responses below `/sso` belong to a single sign-in, so they must not be cached. */
const notCached: RequestHandler = (_, response, next) => {
  response.set('Cache-Control', 'no-store');
  next();
};

const rows = (values: Readonly<Record<string, unknown>>): string =>
  Object.entries(values)
    .map(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value, null, 1);
      return `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(text ?? '')}</dd>`;
    })
    .join('');

/**
 * Shows administrators the claims that a provider makes about them, and the properties and groups that the configured
 * rules derive from the claims.
 */
function sendClaims(response: Response, { provider, claims }: ProvenIdentity, back: string): void {
  const { id, properties, groups } = mapClaims(provider.users, claims);
  const mapped = { 'id of a new user': id ?? 'none', ...properties, groups: groups.join(', ') };
  const body = `<h1>${escapeHtml(provider.label)} works</h1>
<p>Nothing was changed, and no session was started.</p>
<p><a href="${escapeHtml(back)}">Back to the providers</a></p>
<h2>Mapped to</h2><dl>${rows(mapped)}</dl>
<h2>Claims</h2><dl>${rows(claims)}</dl>`;
  sendPage(response, { title: `${provider.label} works`, body });
}

/**
 * Sends a failed sign-in to browsers as a page with a link back to the sign-in page; other clients get the usual error.
 */
const sendFault =
  (home: string, log: Services['log']): ErrorRequestHandler =>
  (error: unknown, request, response, next) => {
    if (!(error instanceof AppError)) return next(error);
    if (error.cause !== undefined) log.warn({ err: error.cause }, error.message);
    if (request.method !== 'GET' || request.accepts(['json', 'html']) !== 'html') return next(error);
    const body = `<h1>You are not signed in</h1>
<p class="fault" role="alert">${escapeHtml(error.message)}</p>
<p><a href="${escapeHtml(home)}">Back to the sign-in page</a></p>`;
    response.status(statusOf(error.code));
    sendPage(response, { title: 'You are not signed in', body });
  };

const secret = z.string().min(1);
const linkBody = z.object({ password: secret.optional() });
const directoryUser = z.object({ username: secret, password: secret });
const directoryLinkBody = z.object({ password: secret, directory: directoryUser });

/** The maximum age, in seconds, of a sign-in at a provider that confirms the user's identity before linking. */
const proofLifetime = 300;

interface SignInParts {
  readonly clients: OidcClients;
  readonly directories: readonly UserDirectory[];
  readonly sessions: Pick<ConsoleSessions, 'begin'>;
}

type Handler = (request: Request, response: Response) => Promise<unknown>;

/**
 * The routes for sign-in with identity providers: `/sso` lists the providers, `/sso/NAME` starts a sign-in, and the
 * provider redirects the browser to `/sso/NAME/callback`.
 */
export function singleSignOn(
  services: Services,
  authentication: Authentication,
  { clients, directories, sessions }: SignInParts,
): Router {
  const { attempts, config, database, journal, log, secrets } = services;
  const { CONTEXT_PATH: contextPath, PUBLIC_URL: publicUrl } = config;
  const flows = createFlowCookies(secrets);
  const consents = createSessions(services, consentSession);
  const consoleSessions = createSessions(services, consoleSession);
  const dbOf = (response: Response) => database.metered(requestStateOf(response).meter);
  const reachOf = (request: Request) => ({ contextPath, isSecure: isSecure(request, publicUrl) });
  const addressOf = (path: string) => `${contextPath}${ssoPath}${path}`;

  const providerNamed = (name: unknown): OidcProvider => {
    const provider = clients.providers.find((each) => each.name === name);
    if (!provider) throw new NotFound(`There is no identity provider named ${name}.`);
    return provider;
  };
  const providerOf = ({ params }: Request): OidcProvider => providerNamed(params.name);
  const callbackOf = (request: Request, { name }: OidcProvider): string =>
    `${originOf(config)(request)}${addressOf(`/${name}/callback`)}`;

  const begin = async (
    request: Request,
    response: Response,
    { purpose, provider = providerOf(request) }: { purpose: FlowPurpose; provider?: OidcProvider },
  ): Promise<string> => {
    const { url, secrets: own } = await startSignIn(clients, provider, {
      redirectUri: callbackOf(request, provider),
      maxAge: purpose.kind === 'prove' ? proofLifetime : undefined,
    });
    flows.begin(response, { provider: provider.name, secrets: own, purpose }, reachOf(request));
    return url.href;
  };

  const list: Handler = async (_request, response) => response.json(signInOptions(services));

  const start: Handler = async (request, response) => {
    const target = ownAddress(request.query.target, contextPath) ?? `${contextPath}/`;
    response.redirect(303, await begin(request, response, { purpose: { kind: 'sign-in', target } }));
  };

  /** Checks the password of a user who is linking an identity. @throws Unauthenticated, Forbidden, TooManyRequests */
  const provePassword = async (request: Request, response: Response, password: string) => {
    const { id, credential } = currentUser(response);
    const account = await authentication.logIn(id, password, {
      address: clientAddress(request),
      db: dbOf(response),
    });
    // A directory may contain another person with the same user name.
    if (account?.id !== id) throw new Unauthenticated('The password is wrong.');
    const isWhole = credential && 'session' in credential && credential.session !== undefined;
    if (secondStepOf(config, account) !== undefined && !isWhole)
      throw new Forbidden('Sign in with the second factor to link the account with an identity provider.');
    return { userId: id, endedBefore: account.credentialsEndedAt?.getTime() ?? null };
  };

  /** Verifies a user of a directory. @throws Unauthenticated, TooManyRequests, Unavailable */
  const verifyAt = async (
    request: Request,
    directory: UserDirectory,
    { username, password }: z.infer<typeof directoryUser>,
  ) => {
    const proven = await attempts.runCounted(clientAddress(request), username, () =>
      verifyAtDirectories([directory], username, password),
    );
    if (proven) return proven;
    throw new Unauthenticated(`The user name or the password is wrong at ${directory.provider.label}.`);
  };

  const linkAtDirectory = async (request: Request, response: Response, directory: UserDirectory) => {
    const { data } = directoryLinkBody.safeParse(request.body);
    if (!data)
      throw new Invalid('The body must be {"password": …, "directory": {"username": …, "password": …}}.');
    const { userId, endedBefore } = await provePassword(request, response, data.password);
    const link = { id: userId, endedBefore: endedBefore === null ? null : new Date(endedBefore) };
    const provenAt = new Date();
    const proven = await verifyAt(request, directory, data.directory);
    await signInWithDirectory(services, dbOf(response), proven, { link, provenAt });
    return response.status(204).end();
  };

  const directoryOf = ({ params }: Request): UserDirectory | undefined =>
    directories.find(({ provider }) => provider.name === params.name);

  const link: Handler = async (request, response) => {
    const directory = directoryOf(request);
    if (directory) return linkAtDirectory(request, response, directory);
    const { id, endedBefore = null } = currentUser(response);
    const { data } = linkBody.safeParse(request.body);
    const { name } = providerOf(request);
    if (data?.password !== undefined) {
      const linked = await provePassword(request, response, data.password);
      return response.json({
        location: await begin(request, response, { purpose: { kind: 'link', ...linked } }),
      });
    }
    // A user without a password confirms their identity at the provider with which the session was started.
    const session = consoleSessions.identitySessionOf(request.headers);
    const provider = data && (await providerOfSession(dbOf(response), clients.providers, session));
    if (!provider) throw new Invalid('The body must be {"password": …}.');
    const linked = { userId: id, endedBefore: endedBefore?.getTime() ?? null };
    return response.json({
      location: await begin(request, response, {
        purpose: { kind: 'prove', ...linked, next: name },
        provider,
      }),
    });
  };

  /** After the user has signed in again at a linked provider, starts the sign-in at the provider to be linked. */
  const continueLinking = async (
    request: Request,
    response: Response,
    proven: ProvenIdentity,
    { next, ...linked }: Extract<FlowPurpose, { kind: 'prove' }>,
  ) => {
    await requireOwnIdentity(dbOf(response), proven, linked.userId);
    const purpose = { ...linked, kind: 'link' } as const;
    const provider = providerNamed(next);
    return response.redirect(303, await begin(request, response, { purpose, provider }));
  };

  const test: Handler = async (request, response) => {
    const directory = directoryOf(request);
    if (!directory)
      return response.json({ location: await begin(request, response, { purpose: { kind: 'test' } }) });
    const { data } = directoryUser.safeParse(request.body);
    if (!data) throw new Invalid('The body must be {"username": …, "password": …}.');
    const { provider, claims } = await verifyAt(request, directory, data);
    return response.json({ claims, mapped: mapClaims(provider.users, claims) });
  };

  const callback: Handler = async (request, response) => {
    const provider = providerOf(request);
    const flow = flows.take(request, response, { ...reachOf(request), provider: provider.name });
    if (!flow)
      throw new Unauthenticated('This sign-in has expired or was started in another browser. Sign in again.');
    const answer = new URL(callbackOf(request, provider));
    answer.search = request.originalUrl.split('?', 2)[1] ?? '';
    const proven = await finishSignIn(clients, provider, { response: answer, secrets: flow.secrets });
    const { purpose } = flow;
    if (purpose.kind === 'test') return sendClaims(response, proven, `${contextPath}/admin/providers`);
    if (purpose.kind === 'prove') return continueLinking(request, response, proven, purpose);
    const target = purpose.kind === 'sign-in' ? purpose.target : `${contextPath}/account`;
    const isConsent = target.startsWith(`${contextPath}${oauth2Path}/`);
    const { account, identitySession } = await signInAtProvider(services, dbOf(response), proven, {
      lifetime: (isConsent ? consentSession : consoleSession).lifetime,
      link: linkedUser(purpose),
    });
    journal.loggedIn({ username: account.id, method: provider.name, address: clientAddress(request) });
    if (isConsent) consents.begin(response, account, reachOf(request), { identitySession });
    else await sessions.begin(request, response, account, { provider: provider.name, identitySession });
    // A redirect would count as part of the navigation from the provider's site, so the browser would not send the
    // cookie.
    const body = `<h1>Signed in</h1><p><a href="${escapeHtml(target)}">Continue</a></p>`;
    return sendPage(response, { title: 'Signed in', body, continueAt: target });
  };

  const logOutByProvider: Handler = async (request, response) => {
    const provider = providerOf(request);
    const { logout_token: token } = (request.body ?? {}) as Record<string, unknown>;
    const ended = typeof token === 'string' ? await readLogoutToken(clients, provider, token) : undefined;
    if (!ended) return response.status(400).json({ error: 'invalid_request' });
    await dbOf(response).transaction(config.TRANSACTION_TIMEOUT, (db) =>
      endSessionsOfProvider(serverScope(services, db), provider.name, ended),
    );
    return response.end();
  };

  const router = Router();
  const ownForm = [
    sameOrigin({ publicUrl, allowed: [] }),
    express.json({ limit: '16kb', verify: requireUtf8 }),
  ];
  const readForm = express.urlencoded({
    extended: false,
    limit: '64kb',
    parameterLimit: 10,
    verify: requireUtf8,
  });
  const identified = identify(authentication, contextPath);
  router.use(notCached);
  router.route('/').get(list);
  router.route('/:name').get(start);
  router.route('/:name/callback').get(callback);
  router.route('/:name/link').post(ownForm, identified, link);
  router.route('/:name/test').post(ownForm, identified, administratorsOnly, test);
  router.route('/:name/backchannel_logout').post(readForm, logOutByProvider);
  for (const [path, ...methods] of [
    ['/', 'GET', 'HEAD'],
    ['/:name', 'GET', 'HEAD'],
    ['/:name/callback', 'GET', 'HEAD'],
    ['/:name/link', 'POST'],
    ['/:name/test', 'POST'],
    ['/:name/backchannel_logout', 'POST'],
  ] as const)
    router.all(path, ({ method }) => {
      throw new MethodNotAllowed(method, methods);
    });
  router.use(sendFault(`${contextPath}/`, log));
  return router;
}
