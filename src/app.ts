import type { RequestListener } from 'node:http';
import { parse } from 'node:querystring';
import express, { type RequestHandler } from 'express';
import type { Logger } from 'pino';
import { type Authentication, createAuthentication } from './auth/index.ts';
import type { BlobStore } from './blobs/blob-store.ts';
import { type Config, downloadsOf, isLocal, memoryBudgetOf } from './config.ts';
import { consoleFiles } from './console/files.ts';
import { consoleOperations } from './console/operations.ts';
import { signInForm } from './console/sign-in-form.ts';
import type { Database } from './db/database.ts';
import { MemoryBudget } from './db/memory-budget.ts';
import { newMeter } from './db/meter.ts';
import { NotFound } from './errors.ts';
import type { createGraphqlEndpoint } from './graphql/endpoint.ts';
import { createRunner, runInContext, type Services } from './graphql/run.ts';
import { limitAdmission } from './http/admission.ts';
import { baseUrlOf, callerWithDefaults, serverOptions } from './http/caller.ts';
import { chainHandlers } from './http/chain-handlers.ts';
import { cmisRepositories } from './http/cmis-repositories.ts';
import { type ErrorSettings, errorHandler, reportErrors, statusOf } from './http/errors.ts';
import { guards, pagePolicy, securityHeaders } from './http/guards.ts';
import { health, readiness } from './http/health.ts';
import { icons } from './http/icons.ts';
import {
  administratorsOnly,
  identify,
  identifyingAgain,
  remoteAddress,
  requesterOf,
} from './http/identify.ts';
import { invitations } from './http/invitations.ts';
import { jsonBodyReader, jsonParser, type ParseJsonOf, readGraphqlBody } from './http/json-body.ts';
import { logOut } from './http/log-out.ts';
import { loginToken } from './http/login-token.ts';
import { type Application, messageClassesOf } from './http/message-classes.ts';
import { createMetrics, type Metrics } from './http/metrics.ts';
import { noticeWebUi } from './http/notice-web-ui.ts';
import { fileAddresses, pictureAddresses } from './http/nxfile.ts';
import { measureRequests, requestStateOf, zeroServerTiming } from './http/request-state.ts';
import { sameOrigin } from './http/same-origin.ts';
import { signIn } from './http/sign-in.ts';
import type { Traces } from './http/traces.ts';
import type { CallersServices } from './jobs/services.ts';
import { archiveTurns, largeBodyTurns, searchTurns, transactionTurns } from './loaders/turns.ts';
import { logCount, logRequests } from './log.ts';
import type { Model } from './model/model.ts';
import { oauth2Endpoints } from './oauth2/index.ts';
import { openApiHandler } from './openapi/handler.ts';
import { contributedNames } from './rest/contributed-names.ts';
import { createRest, type Rest } from './rest/index.ts';
import { restLinks } from './rest/links.ts';
import type { RestServices } from './rest/serve-route.ts';
import { schema } from './schema/index.ts';
import type { KeptConversions, LocalExecutions, SearchIndex } from './scope.ts';
import type { Secrets } from './secrets.ts';
import { principals } from './security/principal.ts';
import { formsOf } from './selection/compatibility.ts';
import type { Run } from './selection/run.ts';
import type { Journal } from './store/audit/journal.ts';
import { countPasswordHashes } from './store/authorities/passwords.ts';
import { countJobs } from './store/queue/manage-jobs.ts';

export interface AppServices {
  readonly config: Config;
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly conversions: KeptConversions;
  readonly model: Model;
  readonly secrets: Secrets;
  readonly journal: Journal;
  readonly searchIndex: SearchIndex;
  readonly executing: LocalExecutions;
  readonly traces?: Pick<Traces, 'observe'> | undefined;
  readonly log: Logger;
  /** False while the server starts and stops: load balancers then send requests elsewhere. */
  readonly isReady: () => boolean;
  /** Where several processes serve: what `/metrics` answers. */
  readonly metricsOfAll?: (() => Promise<string>) | undefined;
  /** What runs the operations of REST; `operationCompiler` when absent. */
  readonly compilerOf?: Parameters<typeof createRunner>[2];
}

function graphqlHandler(
  { config, isReady }: AppServices,
  services: Services,
  again: ReturnType<typeof identifyingAgain>,
  report: ErrorSettings['report'],
): RequestHandler {
  // Loaded by the first request: most servers never receive one, and it takes a quarter of the start.
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

interface RestParts {
  readonly run: Run;
  readonly parseJsonOf: ParseJsonOf;
}

function restOf(
  config: Config,
  { blobs, journal, model }: AppServices,
  { run, parseJsonOf }: RestParts,
): Rest {
  const services: RestServices = {
    schema,
    blobs,
    requesterOf,
    run,
    parseJsonOf,
    repositories: config.REPOSITORIES,
    baseUrlOf: baseUrlOf(config),
    contributed: contributedNames(model),
    forms: formsOf(config.COMPATIBILITY),
    bodyLimit: config.BODY_LIMIT,
    answerLimit: config.ANSWER_LIMIT,
    uploadLimit: config.UPLOAD_LIMIT,
    uploadQuota: config.UPLOAD_QUOTA,
    secretFields: new Set([...model.directories.values()].flatMap(({ secrets }) => [...secrets])),
    isExplorable: config.GRAPHIQL,
    onAnswer: (response, milliseconds) => {
      requestStateOf(response).graphqlMilliseconds = milliseconds;
    },
    onDownload: ({ id: username }, { document, ...file }) => {
      if (document) journal.downloaded({ username, document, ...file });
    },
  };
  return createRest(services, { '/openapi.json': openApiHandler(services) });
}

/** Matches the path before a segment: what is mounted there sees the segment in its own path. */
const below = (path: string, segment: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.')}(?=/${segment}(?:/|$))`);

function authenticationOf({ config, database, journal, secrets }: AppServices): Authentication {
  return createAuthentication({
    database,
    journal,
    secrets,
    principalOf: principals(config.ADMIN_USERNAME),
    chain: config.AUTH_CHAIN,
    failures: config.LOGIN_FAILURES,
  });
}

const servicesOf = (
  { config, journal, isReady, ...services }: AppServices,
  { attempts }: Authentication,
  { searches, archives, transactions, history }: Metrics,
  memoryBudget: MemoryBudget,
): Services => ({
  ...services,
  attempts,
  adminUsername: config.ADMIN_USERNAME,
  uploadQuota: config.UPLOAD_QUOTA,
  downloads: downloadsOf(config),
  markdownType: formsOf(config.COMPATIBILITY).markdownType,
  mail: { isSent: config.SMTP_URL !== undefined, limit: config.MAIL_LIMIT },
  repositories: config.REPOSITORIES,
  productVersion: config.PRODUCT_VERSION,
  transactionTimeout: config.TRANSACTION_TIMEOUT,
  searchCountLimit: config.SEARCH_COUNT_LIMIT,
  answerLimit: config.ANSWER_LIMIT,
  memoryBudget,
  metricSamples: history.samples,
  searchTurns: searchTurns({ connections: config.DATABASE_CONNECTIONS, workers: config.WORKERS }, searches),
  archiveTurns: archiveTurns(config.DATABASE_CONNECTIONS, archives),
  transactionTurns: transactionTurns(config.DATABASE_CONNECTIONS, transactions),
});

/** OAuth 2.0 issues tokens only if the authentication chain accepts them. */
function oauth2Handler(
  { config, database, secrets }: AppServices,
  authentication: Authentication,
): RequestHandler {
  if (!config.AUTH_CHAIN.includes('oauth2')) return (_request, _response, next) => next();
  return oauth2Endpoints({
    database,
    secrets,
    authentication,
    contextPath: config.CONTEXT_PATH,
    publicUrl: config.PUBLIC_URL,
    transactionTimeout: config.TRANSACTION_TIMEOUT,
  });
}

/** The application behind a limit of concurrent requests. */
function withAdmission(
  app: RequestListener,
  { config, log }: AppServices,
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
      // The credentials of these requests belong to applications.
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

export interface App extends Application, Pick<CallersServices, 'runAs' | 'runCall'> {
  /** Of this process. */
  readonly metrics: Metrics['registry'];
  readonly metricHistory: Metrics['history'];
}

const runningAs =
  (config: Config, services: Services): CallersServices['runAs'] =>
  (user, repository) =>
  (kind, work) => {
    const options = serverOptions(config, repository, restLinks);
    return runInContext(services, { user, options, meter: newMeter() }, kind, work);
  };

const runningCalls =
  (runCall: Rest['runCall']): CallersServices['runCall'] =>
  (execution, user, signal) =>
    runCall(execution, { user, signal, meter: newMeter() });

/** The application without a port: REST at CONTEXT_PATH/api/v1, GraphQL at /graphql, health and metrics. */
export function createApp(services: AppServices): App {
  const { config, database, log } = services;
  const { CONTEXT_PATH: contextPath, PUBLIC_URL: publicUrl } = config;
  const authentication = authenticationOf(services);
  const identified = identify(authentication, contextPath);
  const report = reportErrors(log);
  const memoryBudget = new MemoryBudget(memoryBudgetOf(config), {
    onWaited: (seconds) => metrics.memory.onWaited(seconds),
    onRefused: () => metrics.memory.onRefused(),
  });
  const metrics: Metrics = createMetrics({
    memoryHeld: () => memoryBudget.held,
    statementsOf: (response) => requestStateOf(response).meter.statements,
    jobs: () => countJobs(services.database),
    passwordHashes: countPasswordHashes,
    readServers: () => database.reads.servers(),
    ofAll: services.metricsOfAll,
  });
  const shared = servicesOf(services, authentication, metrics, memoryBudget);

  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('trust proxy', config.TRUST_PROXY);
  app.use(chainHandlers(measureRequests(config.NODE_ENV === 'production'), logRequests(log)));
  const ready = readiness(database, services.isReady);
  app.use('/health', health(ready));
  const origins = { publicUrl, allowed: config.CORS_ORIGINS };
  if (services.traces) app.use(services.traces.observe);
  app.use(chainHandlers(metrics.observe, ...guards(origins, isLocal(config))));

  if (config.COMPATIBILITY === 'contract') app.use(noticeWebUi(log));

  const run = createRunner(schema, shared, services.compilerOf);
  const at = (path: string) => `${contextPath}${path}`;
  const parseJsonOf = jsonParser(largeBodyTurns(metrics.largeBodies));
  const { serve: rest, runCall } = restOf(config, services, { run, parseJsonOf });
  for (const base of [at('/api/v1'), at('/site/api/v1')]) app.use(base, chainHandlers(identified, rest));
  for (const name of ['/nxfile', '/nxbigfile'])
    app.use(at(name), chainHandlers(identified, fileAddresses(rest)));
  app.use(at('/nxpicsfile'), chainHandlers(identified, pictureAddresses(rest)));
  app.get(at('/runningstatus'), ready);
  app.use(at('/icons'), icons);
  app.get(at('/json/cmis'), cmisRepositories(config.REPOSITORIES, config.PRODUCT_VERSION));
  // These change something by GET, which pages of other sites may not.
  const writesByGet = sameOrigin(origins);
  const callerOf = callerWithDefaults(config, restLinks);
  app.use(at('/authentication'), writesByGet, identified, loginToken(schema, run, callerOf));
  app.use(at('/site/userInvitation'), invitations(services));
  // Old clients call operations, and nothing else, at this address.
  app.use(below(at('/site'), 'automation'), chainHandlers(identified, rest));

  app.use(at('/'), oauth2Handler(services, authentication));
  const signing = { ...services, authentication, contextPath, publicUrl };
  app.use(at('/logout'), writesByGet, logOut(signing));
  app.use(at('/login'), signInForm(signing));
  const signInPage = { authentication, contextPath, takesPasswords: config.AUTH_CHAIN.includes('basic') };
  app.use([at('/login.jsp'), at('/startup')], signIn(signInPage));

  app.get('/metrics', identified, administratorsOnly, metrics.show);
  // Authorization comes before GraphQL: the errors of a query would disclose the schema.
  const readJson = readGraphqlBody(jsonBodyReader(config.BODY_LIMIT, parseJsonOf));
  const graphql = graphqlHandler(services, shared, identifyingAgain(authentication, contextPath), report);
  const addresses = [...new Set(['/graphql', at('/graphql')])];
  const errors = errorHandler({ isDevelopment: config.NODE_ENV === 'development', report });
  app.use(addresses, identified, pagePolicy, readJson, consoleOperations(), graphql, errors('graphql'));
  app.use(at('/'), consoleFiles({ contextPath, secrets: services.secrets }));

  app.use(({ path }) => {
    throw new NotFound(`There is no resource at ${path}.`);
  });
  app.use(errors('entity'));
  const admission = withAdmission(app, services, authentication, metrics);
  return Object.assign(admission, {
    messages: messageClassesOf(app),
    metrics: metrics.registry,
    metricHistory: metrics.history,
    runAs: runningAs(config, shared),
    runCall: runningCalls(runCall),
  });
}
