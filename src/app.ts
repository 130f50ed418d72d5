import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import type { Logger } from 'pino';
import { createChain } from './auth/index.ts';
import type { BlobStore } from './blobs/blob-store.ts';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import { Forbidden, NotFound } from './errors.ts';
import { guards, pagePolicy } from './http/guards.ts';
import { health } from './http/health.ts';
import { createMetrics } from './http/metrics.ts';
import { shedLoad, watchLoopDelay } from './http/overload.ts';
import { progressOf, timing } from './http/progress.ts';
import { createHttpLogger } from './log.ts';
import type { Model } from './model/model.ts';
import { errorHandler } from './rest/errors.ts';
import type { Contributed } from './rest/headers.ts';
import { createRest } from './rest/index.ts';
import { schema } from './schema/index.ts';
import { createRunner } from './schema/run.ts';
import { createGraphqlEndpoint } from './schema/yoga.ts';
import type { Principal } from './scope.ts';

export interface AppServices {
  readonly config: Config;
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly model: Model;
  readonly log: Logger;
  /** Whether the server wants more requests: not before it is up, not once it is stopping. */
  readonly isReady: () => boolean;
}

/** The names that somebody contributed to this server, for the headers of §9. */
const contributedNames = (model: Model): Contributed => ({
  properties: new Set(['*', ...model.schemas.keys()]),
  enrichers: {},
  fetch: {},
  translate: {},
});

/** The whole application, without a port: REST at CONTEXT_PATH/api/v1, GraphQL at /graphql, health. */
export function createApp(services: AppServices): Express {
  const { config, database, blobs, model, log } = services;
  const authenticate = createChain({
    database,
    principalOf: ({ id }) => ({ id, isAdministrator: id === config.ADMIN_USERNAME }),
  });
  const shared = {
    ...{ database, model, blobs, repositories: config.REPOSITORIES },
    transactionTimeout: config.TRANSACTION_TIMEOUT,
  };
  const [defaultRepository = 'default'] = config.REPOSITORIES;

  const metrics = createMetrics((response) => progressOf(response).meter.statements);
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.use(timing(config.NODE_ENV === 'production'));
  app.use(createHttpLogger(log));
  app.use('/health', health(database, services.isReady));
  app.use(metrics.observe);
  app.use(shedLoad(watchLoopDelay()));
  app.use(...guards(config.CORS_ORIGINS));

  const identify: RequestHandler = async (request, response, next) => {
    progressOf(response).user = await authenticate(request.headers);
    next();
  };
  const userOf = (response: Response): Principal => {
    const { user } = progressOf(response);
    if (!user) throw new Error('a route is reachable without authentication');
    return user;
  };
  const baseUrlOf = (request: Request): string => {
    const { host = `${config.HOST}:${config.PORT}` } = request.headers;
    return `${config.PUBLIC_URL ?? `${request.protocol}://${host}`}${config.CONTEXT_PATH}/api/v1`;
  };

  const report = (error: unknown, response?: Response): void =>
    log.error({ err: error, requestId: response?.getHeader('X-Request-Id') }, 'unexpected error');
  app.get('/metrics', identify, (request, response, next) => {
    if (!userOf(response).isAdministrator) throw new Forbidden('measurements are for administrators');
    return metrics.show(request, response, next);
  });
  const graphql = createGraphqlEndpoint(schema, shared, { isOpen: config.GRAPHIQL, report });
  app.use(
    '/graphql',
    identify,
    pagePolicy,
    express.json({ limit: config.BODY_LIMIT }),
    async (request, response) => {
      const user = userOf(response);
      // Before anything is parsed: its faults would tell of the schema too.
      if (!user.isAdministrator) throw new Forbidden(`GraphQL is for administrators, and ${user.id} is none`);
      const [repository = defaultRepository] = [request.headers.repository].flat();
      const options = {
        ...({
          repository,
          versioning: 'NONE',
          source: undefined,
          searchSync: false,
          timeout: undefined,
        } as const),
        baseUrl: baseUrlOf(request),
      };
      await graphql(request, response, { caller: { user, options } });
    },
  );

  const rest = createRest({
    ...{ schema, blobs, repositories: config.REPOSITORIES, userOf, baseUrlOf },
    run: createRunner(schema, shared),
    contributed: contributedNames(model),
    bodyLimit: config.BODY_LIMIT,
    onAnswer: (response, milliseconds) => {
      progressOf(response).graphql = milliseconds;
    },
  });
  const bases = ['/api/v1', '/site/api/v1'].map((base) => `${config.CONTEXT_PATH}${base}`);
  app.use(bases, identify);
  app.use(
    bases.map((base) => `${base}/repo/:repository`),
    rest,
  );
  app.use(bases, rest);
  app.use((request) => {
    throw new NotFound(`there is nothing at ${request.path}`);
  });
  app.use(errorHandler({ isDevelopment: config.NODE_ENV === 'development', report }));
  return app;
}
