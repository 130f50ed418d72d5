import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import onHeaders from 'on-headers';
import type { Logger } from 'pino';
import { createChain } from './auth/index.ts';
import type { BlobStore } from './blobs/blob-store.ts';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import { type Meter, withMeter } from './db/meter.ts';
import { NotFound, Unavailable } from './errors.ts';
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

/** What is known of a request while it is answered. */
interface Progress {
  readonly start: number;
  readonly meter: Meter;
  /** Spent in the schema, in milliseconds. */
  graphql: number;
  user?: Principal;
}

const progressOf = (response: Response): Progress => response.locals.progress as Progress;

/** Counts what a request costs, and tells in `Server-Timing`: administrators alone when in production. */
function timing(isProduction: boolean): RequestHandler {
  return (_, response, next) => {
    const progress: Progress = {
      start: performance.now(),
      meter: { statements: 0, milliseconds: 0 },
      graphql: 0,
    };
    response.locals.progress = progress;
    onHeaders(response, () => {
      if (isProduction && !progress.user?.isAdministrator) return;
      const { start, meter, graphql } = progress;
      const total = (performance.now() - start).toFixed(1);
      const sql = `sql;dur=${meter.milliseconds.toFixed(1)};desc="${meter.statements}"`;
      response.setHeader('Server-Timing', `total;dur=${total}, graphql;dur=${graphql.toFixed(1)}, ${sql}`);
    });
    withMeter(progress.meter, next);
  };
}

/** The names that somebody contributed to this server, for the headers of §9. */
const contributedNames = (model: Model): Contributed => ({
  properties: new Set(['*', ...model.schemas.keys()]),
  enrichers: {},
  fetch: {},
  translate: {},
});

function health({ database, isReady }: AppServices): express.Router {
  const router = express.Router();
  router.get('/live', (_, response) => response.json({ status: 'up' }));
  router.get('/ready', async (_, response) => {
    if (!isReady()) throw new Unavailable('the server is stopping');
    try {
      await database.read({ name: 'ping', text: 'SELECT 1' }, []);
    } catch (cause) {
      throw new Unavailable('the database does not answer', { cause });
    }
    response.json({ status: 'up' });
  });
  return router;
}

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

  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.use(timing(config.NODE_ENV === 'production'));
  app.use(createHttpLogger(log));
  app.use('/health', health(services));

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

  const report = (error: unknown): void => log.error({ err: error }, 'unexpected error');
  const graphql = createGraphqlEndpoint(schema, shared, report);
  app.use('/graphql', identify, express.json({ limit: config.BODY_LIMIT }), async (request, response) => {
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
    await graphql(request, response, { caller: { user: userOf(response), options } });
  });

  const rest = createRest({
    ...{ schema, blobs, defaultRepository, userOf, baseUrlOf },
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
