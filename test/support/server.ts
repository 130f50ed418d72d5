import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { Agent, createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { type GraphQLSchema, print } from 'graphql';
import { pino } from 'pino';
import supertest from 'supertest';
import type { ProcessParts } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { type OperationCompiler, operationCompiler } from '../../src/graphql/compile-operation.ts';
import type { MetricHistory } from '../../src/http/metric-history.ts';
import type { ModelDefinition } from '../../src/model/definitions.ts';
import { type OpenedServer, openServices } from '../../src/open-services.ts';
import type { Services } from '../../src/services.ts';
import { administrator } from './administrator.ts';
import { stockedDatabase } from './database.ts';
import { withDescribedAnswers } from './described-answers.ts';
import { newFolder } from './folder.ts';
import { until } from './until.ts';
import { use } from './use.ts';

/** The whole application with a separate database. */
export interface TestServer
  extends AsyncDisposable,
    Pick<OpenedServer, 'indexed' | 'services' | 'startJobs' | 'stopCallersJobs'>,
    Pick<
      Services,
      'blobs' | 'conversions' | 'database' | 'executing' | 'journal' | 'model' | 'searchIndex' | 'secrets'
    > {
  /** Sends requests as the default administrator. `anonymous` sends requests without credentials. */
  readonly request: ReturnType<typeof supertest.agent>;
  readonly anonymous: ReturnType<typeof supertest>;
  readonly app: RequestListener;
  /** The HTTP server on which `app` runs. It listens on a free port of 127.0.0.1. */
  readonly http: Server;
  readonly metricHistory: MetricHistory;
  /** The URL of the database. */
  readonly url: string | undefined;
  readonly dataDir: string;
  /** The lines of the log, parsed as objects, oldest first. */
  readonly logged: Array<Record<string, unknown>>;
  /** Registers a function that runs before the database is closed. */
  readonly beforeStop: (end: () => Promise<unknown>) => void;
  /** Returns the port of `http`. */
  readonly listen: () => Promise<number>;
  readonly stop: () => Promise<void>;
}

/**
 * The folders of tests in which responses are compared with openapi.json: the tests of routes, operations and
 * enrichers.
 */
const describing = /\/test\/(automation|enrichers|openapi|rest)\//;

/** Keeps connections open, because opening a connection costs as much CPU time as a simple request. */
const connections = new Agent({ keepAlive: true });

/**
 * Sends requests as a user with a password. `served` is called for each request, so the server can be started after
 * this call.
 */
export function requestsAs(
  served: () => Server | RequestListener,
  username: string,
  password: string,
): TestServer['request'] {
  const agent = supertest.agent('');
  Object.defineProperty(agent, 'app', { get: served });
  agent.use((request: supertest.Test) => request.agent(connections));
  agent.auth(username, password);
  agent.set('Accept-Encoding', 'identity'); // Compression would take a twentieth of the CPU time of all tests.
  return agent;
}

/**
 * The compilers of a test worker. They are stored globally, because schemas stay in memory between test files.
 */
const shared = globalThis as { compilers?: WeakMap<GraphQLSchema, OperationCompiler> };

/**
 * Compiles each operation once for all servers of a worker. Compiling the same operations again for every server would
 * take a twentieth of the CPU time of all tests.
 */
function sharedCompiler(schema: GraphQLSchema): OperationCompiler {
  shared.compilers ??= new WeakMap();
  const known = shared.compilers.get(schema);
  if (known) return known;
  const compile = operationCompiler(schema);
  const compiled = new Map<string, ReturnType<OperationCompiler>>(); // The keys are the texts of the operations.
  const compiler: OperationCompiler = (operation) => {
    const text = print(operation.document);
    const result = compiled.get(text) ?? compile(operation);
    compiled.set(text, result);
    return result;
  };
  shared.compilers.set(schema, compiler);
  return compiler;
}

/** Serves an application on a free port of 127.0.0.1. */
export async function serve(app: RequestListener): Promise<Server> {
  // The timeout is the same as in production, because a busy client can reuse a connection after more than the
  // default of 5 seconds.
  const http = createServer({ keepAliveTimeout: 65_000 }, app);
  await once(http.listen(0, '127.0.0.1'), 'listening');
  return http;
}

/**
 * Starts the application with the given settings and contributions to the content model.
 * `await using server = await startServer()` stops it at the end of the block.
 */
export async function startServer(
  settings: Record<string, string> = {},
  model?: Partial<ModelDefinition>,
  compilerOf: ProcessParts['compilerOf'] = sharedCompiler,
): Promise<TestServer> {
  const dataDir = newFolder();
  const modelDir = join(dataDir, 'model');
  if (model) {
    await mkdir(modelDir);
    await writeFile(join(modelDir, 'test.json'), JSON.stringify(model));
  }
  // Responses must not depend on which conversion programs are installed on the machine.
  const config = readConfig({
    DATA_DIR: dataDir,
    CONVERTER_FOLDERS: 'none',
    ...(model && { MODEL_DIR: modelDir }),
    ...settings,
  });
  const { database, url } = await stockedDatabase(config.DATABASE_CONNECTIONS);
  const logged: TestServer['logged'] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => logged.push(JSON.parse(line)) });
  const opened = await openServices(config, database, {
    log,
    isReady: () => true,
    compilerOf,
  });
  const { services, indexed, startJobs, stopCallersJobs } = opened;
  const undescribed: string[] = [];
  // openapi.json describes the responses only for COMPATIBILITY=contract. In other test files, comparing responses
  // would take a twentieth of the CPU time without finding anything new.
  const isDescribed =
    config.COMPATIBILITY === 'contract' && describing.test(expect.getState().testPath ?? '');
  const app = isDescribed ? withDescribedAnswers(opened.app, undescribed) : opened.app;
  // Until the server receives notifications from other processes, it caches nothing, so requests would run more
  // statements.
  await until(() => database.announcements.isConnected());
  const http = await serve(app);
  const ends: Array<() => Promise<unknown>> = [];
  const stop = async () => {
    await Promise.all(ends.map((end) => end()));
    http.closeAllConnections();
    http.close();
    await opened.close();
    await database.close();
    await rm(dataDir, { recursive: true, force: true });
    if (undescribed.length > 0) throw new Error(`openapi.json does not describe:\n${undescribed.join('\n')}`);
  };
  return {
    request: requestsAs(() => http, administrator.username, administrator.password),
    anonymous: supertest(http),
    app,
    http,
    metricHistory: opened.metrics.history,
    services,
    ...services,
    url,
    indexed,
    startJobs,
    stopCallersJobs,
    dataDir,
    logged,
    beforeStop: (end) => void ends.push(end),
    listen: async () => (http.address() as AddressInfo).port,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/**
 * Provides one server for all tests in a file or a `describe`. It is started before the first test and stopped after
 * the last one. Before the first test, the returned object has only `request`.
 * @param settings the settings that differ from the defaults
 * @param model contributions to the default content model
 * @param compilerOf returns a function that runs the operations of REST requests in place of compiled code
 */
export function useServer(
  settings: Record<string, string> = {},
  model?: Partial<ModelDefinition>,
  compilerOf?: ProcessParts['compilerOf'],
): TestServer {
  const request = requestsAs(() => server.http, administrator.username, administrator.password);
  const server: TestServer = use(() => startServer(settings, model, compilerOf), { request });
  return server;
}

/**
 * Returns the number of SQL statements that a response reports in `Server-Timing`, including those for
 * authentication.
 */
export function statements(response: { headers: Record<string, unknown> }): number {
  const found = /sql;dur=[\d.]+;desc="(\d+)"/.exec(String(response.headers['server-timing']));
  if (!found) throw new Error('The response has no Server-Timing header.');
  return Number(found[1]);
}
