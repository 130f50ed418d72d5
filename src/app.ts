import type { RequestListener } from 'node:http';
import { parse } from 'node:querystring';
import express, { type RequestHandler } from 'express';
import type { Logger } from 'pino';
import { type Authentication, createAuthentication } from './auth/index.ts';
import type { BlobStore } from './blobs/blob-store.ts';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import { NotFound } from './errors.ts';
import { remoteAddress } from './http/address.ts';
import { baseUrlOf, callerOf } from './http/caller.ts';
import { door } from './http/door.ts';
import { greeting } from './http/greeting.ts';
import { guards, pagePolicy, securityHeaders } from './http/guards.ts';
import { health, readiness } from './http/health.ts';
import { administratorsOnly, askerOf, identify } from './http/identify.ts';
import { inTurn } from './http/in-turn.ts';
import { logOut } from './http/log-out.ts';
import { loginToken } from './http/login-token.ts';
import { type Application, messagesOf } from './http/messages.ts';
import { createMetrics, type Metrics } from './http/metrics.ts';
import { measureRequests, noTime, progressOf, tellTiming } from './http/progress.ts';
import { logCount, logRequests } from './log.ts';
import type { Model } from './model/model.ts';
import { oauth2Endpoints } from './oauth2/index.ts';
import type { Execute, Run } from './operation.ts';
import { contributedNames } from './rest/contributed.ts';
import { type ErrorSettings, errorHandler } from './rest/errors.ts';
import { createRest } from './rest/index.ts';
import { createExecute } from './schema/execute.ts';
import { schema } from './schema/index.ts';
import { createRunner, type Services } from './schema/run.ts';
import type { createGraphqlEndpoint } from './schema/yoga.ts';
import { principals } from './scope.ts';
import type { Secrets } from './secrets.ts';
import type { Executing } from './store/executing.ts';
import { endHere } from './store/executions.ts';
import type { Journal } from './store/journal.ts';

export interface AppServices {
  readonly config: Config;
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly model: Model;
  readonly secrets: Secrets;
  readonly journal: Journal;
  readonly executing: Executing;
  readonly log: Logger;
  /** Whether the server wants more requests: not before it is up, not once it is stopping. */
  readonly isReady: () => boolean;
}

/** The schema itself, for administrators' tools. */
function graphqlHandler(config: Config, services: Services, report: ErrorSettings['report']): RequestHandler {
  // Loaded at the first request: most servers never get one, and it is a quarter of the start.
  let endpoint: Promise<ReturnType<typeof createGraphqlEndpoint>> | undefined;
  const load = async () => {
    const yoga = await import('./schema/yoga.ts');
    return yoga.createGraphqlEndpoint(schema, services, { isOpen: config.GRAPHIQL, report });
  };
  return async (request, response) => {
    const caller = callerOf(config)(request, response);
    const onAnswer = (milliseconds: number) => {
      progressOf(response).graphql = milliseconds;
    };
    endpoint ??= load();
    await (await endpoint)(request, response, { caller, onAnswer });
  };
}

function restHandler(
  config: Config,
  { blobs, journal, executing, model }: AppServices,
  doing: { run: Run; execute: Execute },
): RequestHandler {
  return createRest({
    ...{ schema, blobs, askerOf, ...doing },
    repositories: config.REPOSITORIES,
    baseUrlOf: baseUrlOf(config),
    contributed: contributedNames(model),
    endHere: (caller, execution) => endHere({ ...caller, executing }, execution),
    bodyLimit: config.BODY_LIMIT,
    uploadLimit: config.UPLOAD_LIMIT,
    onAnswer: (response, milliseconds) => {
      progressOf(response).graphql = milliseconds;
    },
    onDownload: ({ id: username }, { document, ...file }) => {
      if (document) journal.downloaded({ username, document, ...file });
    },
  });
}

/** The addresses at a path that go on with a segment; what is mounted there sees the segment. */
const below = (path: string, segment: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.')}(?=/${segment}(?:/|$))`);

function authenticationOf({ config, database, journal, secrets }: AppServices): Authentication {
  return createAuthentication({
    ...{ database, journal, secrets, principalOf: principals(config.ADMIN_USERNAME) },
    ...{ chain: config.AUTH_CHAIN, failures: config.LOGIN_FAILURES },
  });
}

function servicesOf({ config, ...services }: AppServices, { attempts }: Authentication): Services {
  const { database, model, blobs, secrets, executing, log } = services;
  return {
    ...{ database, model, blobs, secrets, attempts, executing, log, chief: config.ADMIN_USERNAME },
    ...{ repositories: config.REPOSITORIES, transactionTimeout: config.TRANSACTION_TIMEOUT },
  };
}

/** Where applications are given tokens, unless no request may bring any. */
function oauth2Handler(
  { config, database, secrets }: AppServices,
  authentication: Authentication,
): RequestHandler {
  if (!config.AUTH_CHAIN.includes('oauth2')) return (_request, _response, next) => next();
  return oauth2Endpoints({
    ...{ database, secrets, authentication, contextPath: config.CONTEXT_PATH },
    ...{ publicUrl: config.PUBLIC_URL, transactionTimeout: config.TRANSACTION_TIMEOUT },
  });
}

/** The application as nobody can ask too much of it. */
function behindDoor(
  app: RequestListener,
  { config, log }: AppServices,
  { barredFor }: Authentication,
  { refused, waited }: Pick<Metrics, 'refused' | 'waited'>,
): RequestListener {
  const tell = logCount(log, 'requests were refused: the server had enough to do');
  return door(app, {
    connections: config.DATABASE_CONNECTIONS,
    headers: {
      ...securityHeaders(config.CORS_ORIGINS.length > 0),
      ...noTime(config.NODE_ENV === 'production'),
    },
    barredFor: (request) => {
      const { headers, url = '' } = request;
      // There, credentials are those of applications.
      if (url.startsWith(`${config.CONTEXT_PATH}/oauth2/`)) return undefined;
      const bringing = () => ({ headers, query: parse(url.split('?', 2)[1] ?? '') });
      return barredFor(bringing, () => remoteAddress(request, config.TRUST_PROXY));
    },
    onWaited: waited,
    onFull: () => {
      refused();
      tell();
    },
  });
}

/** The whole application, without a port: REST at CONTEXT_PATH/api/v1, GraphQL at /graphql, health and metrics. */
export function createApp(services: AppServices): Application {
  const { config, database, log } = services;
  const authentication = authenticationOf(services);
  const shared = servicesOf(services, authentication);
  const identified = identify(authentication, config.CONTEXT_PATH);
  const report: ErrorSettings['report'] = (error, response) =>
    log.error({ err: error, requestId: response?.getHeader('X-Request-Id') }, 'unexpected error');
  const metrics = createMetrics((response) => progressOf(response).meter.statements);

  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('trust proxy', config.TRUST_PROXY);
  tellTiming(app, config.NODE_ENV === 'production');
  app.use(inTurn(measureRequests, logRequests(log)));
  const ready = readiness(database, services.isReady);
  app.use('/health', health(ready));
  app.use(inTurn(metrics.observe, ...guards({ publicUrl: config.PUBLIC_URL, named: config.CORS_ORIGINS })));

  const run = createRunner(schema, shared);
  const at = (path: string) => `${config.CONTEXT_PATH}${path}`;
  const execute = createExecute(run, services.executing, shared);
  const rest = restHandler(config, services, { run, execute });
  for (const base of [at('/api/v1'), at('/site/api/v1')]) app.use(base, inTurn(identified, rest));
  app.get(at('/runningstatus'), ready);
  app.get(at('/json/cmis'), greeting(config.REPOSITORIES, config.PRODUCT_VERSION));
  app.use(at('/authentication'), identified, loginToken(schema, run, callerOf(config)));
  // Operations alone are also where clients of old call them.
  app.use(below(at('/site'), 'automation'), inTurn(identified, rest));

  app.use(at('/'), oauth2Handler(services, authentication));
  const { CONTEXT_PATH: contextPath, PUBLIC_URL: publicUrl } = config;
  app.use(at('/logout'), logOut({ authentication, journal: services.journal, contextPath, publicUrl }));

  app.get('/metrics', identified, administratorsOnly, metrics.show);
  // Before anything is parsed: the faults of a query would tell of the schema too.
  const readJson = express.json({ limit: config.BODY_LIMIT });
  const graphql = graphqlHandler(config, shared, report);
  app.use('/graphql', identified, administratorsOnly, pagePolicy, readJson, graphql);

  app.use(({ path }) => {
    throw new NotFound(`there is nothing at ${path}`);
  });
  app.use(errorHandler({ isDevelopment: config.NODE_ENV === 'development', report }));
  const entrance = behindDoor(app, services, authentication, metrics);
  return Object.assign(entrance, { messages: messagesOf(app) });
}
