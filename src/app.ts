import type { RequestListener } from 'node:http';
import { parse } from 'node:querystring';
import express, { type RequestHandler } from 'express';
import { type Authentication, createAuthentication } from './auth/index.ts';
import { isLocal } from './config.ts';
import { consoleFiles } from './console/files.ts';
import { consoleOperations } from './console/operations.ts';
import { signInForm } from './console/sign-in-form.ts';
import { NotFound } from './errors.ts';
import type { createGraphqlEndpoint } from './graphql/endpoint.ts';
import { createRunner } from './graphql/run.ts';
import { limitAdmission } from './http/admission.ts';
import { callerWithDefaults } from './http/caller.ts';
import { chainHandlers } from './http/chain-handlers.ts';
import { cmisRepositories } from './http/cmis-repositories.ts';
import { type ErrorSettings, errorHandler, reportErrors, statusOf } from './http/errors.ts';
import { guards, pagePolicy, securityHeaders } from './http/guards.ts';
import { health, readiness } from './http/health.ts';
import { icons } from './http/icons.ts';
import { administratorsOnly, identify, identifyingAgain, remoteAddress } from './http/identify.ts';
import { invitations } from './http/invitations.ts';
import { jsonBodyReader, jsonParser, readGraphqlBody } from './http/json-body.ts';
import { logOut } from './http/log-out.ts';
import { loginToken } from './http/login-token.ts';
import { type Application, messageClassesOf } from './http/message-classes.ts';
import type { Metrics } from './http/metrics.ts';
import { noticeWebUi } from './http/notice-web-ui.ts';
import { fileAddresses, pictureAddresses } from './http/nxfile.ts';
import { measureRequests, reportMeasured, requestStateOf, zeroServerTiming } from './http/request-state.ts';
import { sameOrigin } from './http/same-origin.ts';
import { signIn } from './http/sign-in.ts';
import type { Traces } from './http/traces.ts';
import { largeBodyTurns } from './loaders/turns.ts';
import { logCount, logRequests } from './log.ts';
import { oauth2Endpoints } from './oauth2/index.ts';
import { openApiHandler } from './openapi/handler.ts';
import { createFacade } from './rest/facade.ts';
import { createRest, type Rest } from './rest/index.ts';
import { restLinks } from './rest/links.ts';
import { schema } from './schema/index.ts';
import type { Services } from './services.ts';

/** The parts of an application that differ between processes. */
export interface ProcessParts {
  readonly metrics: Metrics;
  /**
   * Whether `/health/ready` is 200. It is not while the server starts and stops, so that load balancers send requests
   * elsewhere.
   */
  readonly isReady: () => boolean;
  readonly traces?: Pick<Traces, 'observe'> | undefined;
  /** The compiler of the operations of REST; by default `operationCompiler`. */
  readonly compilerOf?: Parameters<typeof createRunner>[2];
}

function graphqlHandler(
  services: Services,
  isReady: ProcessParts['isReady'],
  again: ReturnType<typeof identifyingAgain>,
  report: ErrorSettings['report'],
): RequestHandler {
  const { config } = services;
  // GraphQL is loaded by the first request, because it takes a quarter of the start and many servers do not need it.
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

/** Matches the path before a segment, so that a handler that is mounted there sees the segment in its own path. */
const below = (path: string, segment: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.')}(?=/${segment}(?:/|$))`);

/** OAuth 2.0 issues tokens only if the authentication chain accepts them. */
function oauth2Handler(services: Services, authentication: Authentication): RequestHandler {
  if (!services.config.AUTH_CHAIN.includes('oauth2')) return (_request, _response, next) => next();
  return oauth2Endpoints(services, authentication);
}

/** The application behind a limit of concurrent requests. */
function withAdmission(
  app: RequestListener,
  { config, log }: Services,
  { secondsBlocked }: Authentication,
  { refused, waited }: Pick<Metrics, 'refused' | 'waited'>,
): RequestListener {
  const logRefusal = logCount(log, 'requests were refused: the server was overloaded');
  return limitAdmission(app, {
    connections: config.DATABASE_CONNECTIONS,
    headers: {
      ...securityHeaders(config.CORS_ORIGINS.length > 0),
      ...zeroServerTiming(config.NODE_ENV === 'production'),
    },
    secondsBlocked: (request) => {
      const { headers, url = '' } = request;
      // The credentials of these requests are those of applications, not users.
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
  /** Runs the request of a background execution. */
  readonly runCall: Rest['runCall'];
}

/** The application without a port: REST at CONTEXT_PATH/api/v1, GraphQL at /graphql, health and metrics. */
export function createApp(services: Services, { metrics, isReady, traces, compilerOf }: ProcessParts): App {
  const { config, database, log } = services;
  const { CONTEXT_PATH: contextPath, PUBLIC_URL: publicUrl } = config;
  const authentication = createAuthentication(services);
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
  for (const base of [at('/api/v1'), at('/site/api/v1')]) app.use(base, chainHandlers(identified, rest));
  for (const name of ['/nxfile', '/nxbigfile'])
    app.use(at(name), chainHandlers(identified, fileAddresses(rest)));
  app.use(at('/nxpicsfile'), chainHandlers(identified, pictureAddresses(rest)));
  app.get(at('/runningstatus'), ready);
  app.use(at('/icons'), icons);
  app.get(at('/json/cmis'), cmisRepositories(config.REPOSITORIES, config.PRODUCT_VERSION));
  // These routes make changes by GET, so requests from pages of other sites are rejected.
  const writesByGet = sameOrigin(origins);
  const callerOf = callerWithDefaults(config, restLinks);
  app.use(at('/authentication'), writesByGet, identified, loginToken(schema, run, callerOf));
  app.use(at('/site/userInvitation'), invitations(services));
  // Old clients use this address, for operations only.
  app.use(below(at('/site'), 'automation'), chainHandlers(identified, rest));

  app.use(at('/'), oauth2Handler(services, authentication));
  app.use(at('/logout'), writesByGet, logOut(services, authentication));
  app.use(at('/login'), signInForm(services, authentication));
  const signInPage = { authentication, contextPath, takesPasswords: config.AUTH_CHAIN.includes('basic') };
  app.use([at('/login.jsp'), at('/startup')], signIn(signInPage));

  app.get('/metrics', identified, administratorsOnly, metrics.show);
  // Requests are authorized before GraphQL parses them, because the errors of a query would disclose the schema.
  const readJson = readGraphqlBody(jsonBodyReader(config.BODY_LIMIT, parseJsonOf));
  const graphql = graphqlHandler(services, isReady, identifyingAgain(authentication, contextPath), report);
  const addresses = [...new Set(['/graphql', at('/graphql')])];
  const errors = errorHandler({ isDevelopment: config.NODE_ENV === 'development', report });
  app.use(addresses, identified, pagePolicy, readJson, consoleOperations(), graphql, errors('graphql'));
  app.use(at('/'), consoleFiles({ contextPath, secrets: services.secrets }));

  app.use(({ path }) => {
    throw new NotFound(`There is no resource at ${path}.`);
  });
  app.use(errors('entity'));
  const admission = withAdmission(app, services, authentication, metrics);
  const { messages, headListeners } = messageClassesOf(app);
  headListeners.push(reportMeasured(config.NODE_ENV === 'production'));
  return Object.assign(admission, { messages, headListeners, runCall });
}
