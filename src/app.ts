import type { RequestListener } from 'node:http';
import { parse } from 'node:querystring';
import express, { type RequestHandler } from 'express';
import { createDirectoryLogIn } from './auth/directory-log-in.ts';
import { guestPath } from './auth/guest.ts';
import { type Authentication, createAuthentication } from './auth/index.ts';
import { createOidcClients } from './auth/oidc/clients.ts';
import { ssoPath } from './auth/oidc/flow-cookies.ts';
import { isLocal } from './config.ts';
import { consoleFiles } from './console/files.ts';
import { consoleOperations } from './console/operations.ts';
import { NotFound } from './errors.ts';
import { extensions } from './extensions/loaded.ts';
import type { createGraphqlEndpoint } from './graphql/endpoint.ts';
import { createRunner, runInContext } from './graphql/run.ts';
import { limitAdmission } from './http/admission.ts';
import { callerWithDefaults } from './http/caller.ts';
import { chainHandlers } from './http/chain-handlers.ts';
import { cmisRepositories } from './http/cmis-repositories.ts';
import { createConsoleSessions } from './http/console-sessions.ts';
import { type ErrorSettings, errorHandler, reportErrors, statusOf } from './http/errors.ts';
import { extensionHandlers } from './http/extension-handlers.ts';
import { guards, pagePolicy, securityHeaders } from './http/guards.ts';
import { health, readiness } from './http/health.ts';
import { icons } from './http/icons.ts';
import { administratorsOnly, identify, identifyingAgain, remoteAddress } from './http/identify.ts';
import { invitations } from './http/invitations.ts';
import { jsonBodyReader, jsonParser, readGraphqlBody } from './http/json-body.ts';
import { deviceRecorder } from './http/known-devices.ts';
import { logOut } from './http/log-out.ts';
import { loginToken } from './http/login-token.ts';
import { type Application, messageClassesOf } from './http/message-classes.ts';
import type { Metrics } from './http/metrics.ts';
import { noticeWebUi } from './http/notice-web-ui.ts';
import { fileAddresses, pictureAddresses } from './http/nxfile.ts';
import { passwordPages } from './http/password-pages.ts';
import { measureRequests, reportMeasured, requestStateOf, zeroServerTiming } from './http/request-state.ts';
import { sameOrigin } from './http/same-origin.ts';
import { createSecondStep, type SecondStep } from './http/second-step.ts';
import { createShares } from './http/shares.ts';
import { signIn } from './http/sign-in.ts';
import { signInForm } from './http/sign-in-form.ts';
import { singleSignOn } from './http/sso.ts';
import type { Traces } from './http/traces.ts';
import { viewAs, withoutViewAs } from './http/view-as.ts';
import { openDirectories } from './ldap/directory.ts';
import { largeBodyTurns } from './loaders/turns.ts';
import { logCount, logRequests } from './log.ts';
import { oauth2Endpoints } from './oauth2/index.ts';
import { oauth2Metadata } from './oauth2/metadata.ts';
import { openApiHandler } from './openapi/handler.ts';
import { createFacade } from './rest/facade.ts';
import { createRest, type Rest } from './rest/index.ts';
import { restLinks } from './rest/links.ts';
import { schema } from './schema/index.ts';
import type { Services } from './services.ts';
import { canReset } from './store/authorities/password-resets.ts';

/** The parts of an application that each process creates for itself. */
export interface ProcessParts {
  readonly metrics: Metrics;
  /**
   * Whether `/health/ready` responds with 200. While the server is starting or stopping it responds with 503, so
   * that load balancers send requests to other servers.
   */
  readonly isReady: () => boolean;
  readonly traces?: Pick<Traces, 'observe'> | undefined;
  /**
   * Returns the compiler of the GraphQL operations that REST requests run; `operationCompiler` by default.
   */
  readonly compilerOf?: Parameters<typeof createRunner>[2];
}

function graphqlHandler(
  services: Services,
  isReady: ProcessParts['isReady'],
  again: ReturnType<typeof identifyingAgain>,
  report: ErrorSettings['report'],
): RequestHandler {
  const { config } = services;
  // GraphQL is loaded on the first request. Loading it takes a quarter of the startup time, and many servers never
  // need it.
  let endpoint: Promise<ReturnType<typeof createGraphqlEndpoint>> | undefined;
  const load = async () => {
    const yoga = await import('./graphql/endpoint.ts');
    const isExplorable = config.GRAPHIQL;
    return yoga.createGraphqlEndpoint(schema, services, { isExplorable, isReady, report, statusOf });
  };
  return async (request, response) => {
    const caller = callerWithDefaults(config, restLinks)(request, response);
    const onAnswer = (milliseconds: number) => {
      requestStateOf(response).graphqlMilliseconds = milliseconds;
    };
    response.vary('Accept-Language');
    endpoint ??= load();
    await (await endpoint)(request, response, { caller, onAnswer, identifyAgain: again(request, response) });
  };
}

/**
 * Matches a path that is followed by a given segment. In a handler mounted at the match, the request path starts with
 * that segment.
 */
const below = (path: string, segment: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.')}(?=/${segment}(?:/|$))`);

/**
 * Serves the OAuth 2.0 endpoints if AUTH_CHAIN includes `oauth2`. Without `oauth2`, they would issue tokens that the
 * server does not accept.
 */
function oauth2Handler(
  services: Services,
  authentication: Authentication,
  secondStep: SecondStep,
): RequestHandler {
  if (!services.config.AUTH_CHAIN.includes('oauth2')) return (_request, _response, next) => next();
  return oauth2Endpoints(services, authentication, secondStep);
}

/** Limits the number of requests that an application processes concurrently. */
function withAdmission(
  app: RequestListener,
  { config, log }: Services,
  { secondsBlocked }: Authentication,
  { refused, waited }: Pick<Metrics, 'refused' | 'waited'>,
): RequestListener {
  const logRefusal = logCount(log, 'Requests were rejected because the server is overloaded.');
  return limitAdmission(app, {
    connections: config.DATABASE_CONNECTIONS,
    headers: {
      ...securityHeaders(config.CORS_ORIGINS.length > 0),
      ...zeroServerTiming(config.NODE_ENV === 'production'),
    },
    secondsBlocked: (request) => {
      const { headers, url = '' } = request;
      // The credentials in requests to the OAuth 2.0 endpoints belong to applications, not to users.
      if (url.startsWith(`${config.CONTEXT_PATH}/oauth2/`)) return undefined;
      const sourceOf = () => ({ headers, query: parse(url.split('?', 2)[1] ?? '') });
      return secondsBlocked(sourceOf, () => remoteAddress(request, config.TRUST_PROXY));
    },
    onWaited: waited,
    onRefused: () => {
      refused();
      logRefusal();
    },
  });
}

export interface App extends Application {
  /** Runs the call that an asynchronous execution has deferred. */
  readonly runCall: Rest['runCall'];
}

/**
 * Creates an application that does not listen on a port. It serves REST at CONTEXT_PATH/api/v1, GraphQL at /graphql,
 * health checks and metrics.
 */
export function createApp(services: Services, { metrics, isReady, traces, compilerOf }: ProcessParts): App {
  const { config, database, log } = services;
  const { CONTEXT_PATH: contextPath, PUBLIC_URL: publicUrl } = config;
  const clients = createOidcClients(services.identityProviders);
  const directories = openDirectories(services.identityProviders);
  const atDirectory = createDirectoryLogIn(services, directories);
  const authentication = createAuthentication(services, clients, atDirectory);
  const identified = identify(authentication, contextPath);
  const report = reportErrors(log);

  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('trust proxy', config.TRUST_PROXY);
  app.use(chainHandlers(measureRequests, logRequests(log)));
  const ready = readiness(database, isReady);
  app.use('/health', health(ready));
  const origins = { publicUrl, allowed: config.CORS_ORIGINS };
  app.use(
    chainHandlers(
      ...(traces ? [traces.observe] : []),
      metrics.observe,
      ...guards(origins, isLocal(config)),
      ...(config.COMPATIBILITY === 'contract' ? [noticeWebUi(log)] : []),
    ),
  );

  const run = createRunner(schema, services, compilerOf);
  const at = (path: string) => `${contextPath}${path}`;
  const parseJsonOf = jsonParser(largeBodyTurns(metrics.largeBodies));
  const facade = createFacade(services, { schema, run, parseJsonOf });
  const { serve: rest, runCall } = createRest(facade, { '/openapi.json': openApiHandler(facade) });
  for (const base of [at('/api/v1'), at('/site/api/v1')])
    app.use(base, chainHandlers(withoutViewAs, identified, rest));
  const shares = createShares(services);
  app.use(at(`${guestPath}/api/v1`), chainHandlers(shares.identifyGuest, rest));
  app.use(at(guestPath), shares.router);
  for (const name of ['/nxfile', '/nxbigfile'])
    app.use(at(name), chainHandlers(identified, fileAddresses(rest)));
  app.use(at('/nxpicsfile'), chainHandlers(identified, pictureAddresses(rest)));
  app.get(at('/runningstatus'), ready);
  app.use(at('/icons'), icons);
  app.get(at('/json/cmis'), cmisRepositories(config.REPOSITORIES, config.PRODUCT_VERSION));
  // These routes change data in response to GET, so requests from pages of other sites are rejected.
  const writesByGet = sameOrigin(origins);
  const callerOf = callerWithDefaults(config, restLinks);
  app.use(at('/authentication'), writesByGet, identified, loginToken(schema, run, callerOf));
  app.use(at('/site/userInvitation'), invitations(services));
  // Old clients use /site/automation, but only to call operations.
  app.use(below(at('/site'), 'automation'), chainHandlers(identified, rest));

  if (config.AUTH_CHAIN.includes('oauth2')) app.use(oauth2Metadata(config));
  const secondStep = createSecondStep(services);
  app.use(at('/'), oauth2Handler(services, authentication, secondStep));
  const sessions = createConsoleSessions(services, deviceRecorder(services));
  app.use(at('/logout'), writesByGet, logOut(services, authentication, { sessions, clients }));
  app.use(at('/password'), passwordPages(services));
  app.use(at(ssoPath), singleSignOn(services, authentication, { clients, directories, sessions }));
  app.use(at('/login'), signInForm(services, authentication, { sessions, secondStep }));
  const signInPage = { authentication, contextPath, takesPasswords: config.AUTH_CHAIN.includes('basic') };
  app.use([at('/login.jsp'), at('/startup')], signIn(signInPage));

  app.get('/metrics', identified, administratorsOnly, metrics.show);
  // Requests are authorized before GraphQL parses them, because messages about syntax and validation errors would
  // reveal the schema.
  const readJson = readGraphqlBody(jsonBodyReader(config.BODY_LIMIT, parseJsonOf));
  const graphql = graphqlHandler(services, isReady, identifyingAgain(authentication, contextPath), report);
  const addresses = [...new Set(['/graphql', at('/graphql')])];
  const asUser = viewAs(services, authentication);
  const errors = errorHandler({ isDevelopment: config.NODE_ENV === 'development', report });
  app.use(
    addresses,
    identified,
    pagePolicy,
    readJson,
    consoleOperations(),
    asUser,
    graphql,
    errors('graphql'),
  );
  if (extensions().length > 0)
    app.use(at('/'), extensionHandlers({ services, identified, callerOf, run: runInContext }));
  app.use(at('/'), consoleFiles({ services, canReset: canReset(config) }));

  app.use(({ path }) => {
    throw new NotFound(`There is no resource at ${path}.`);
  });
  app.use(errors('entity'));
  const admission = withAdmission(app, services, authentication, metrics);
  const { messages, headListeners } = messageClassesOf(app);
  headListeners.push(reportMeasured(config.NODE_ENV === 'production'));
  return Object.assign(admission, { messages, headListeners, runCall });
}
