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

/** The whole application on a database of its own. */
export interface TestServer
  extends AsyncDisposable,
    Pick<OpenedServer, 'indexed' | 'services' | 'stopCallersJobs'>,
    Pick<
      Services,
      'blobs' | 'conversions' | 'database' | 'executing' | 'journal' | 'model' | 'searchIndex' | 'secrets'
    > {
  /** Requests as the stock Administrator; `anonymous` sends none of its credentials. */
  readonly request: ReturnType<typeof supertest.agent>;
  readonly anonymous: ReturnType<typeof supertest>;
  readonly app: RequestListener;
  /** Serves `app` on a free port of 127.0.0.1. */
  readonly http: Server;
  readonly metricHistory: MetricHistory;
  /** The URL of the database. */
  readonly url: string | undefined;
  readonly dataDir: string;
  /** The lines of the log as objects, oldest first. */
  readonly logged: Array<Record<string, unknown>>;
  /** Registers a function that runs before the database is closed. */
  readonly beforeStop: (end: () => Promise<unknown>) => void;
  /** Returns the port of `http`. */
  readonly listen: () => Promise<number>;
  readonly stop: () => Promise<void>;
}

/** The test files in which answers are compared with openapi.json: those of routes, operations and enrichers. */
const describing = /\/test\/(automation|enrichers|openapi|rest)\//;

/** Keeps connections open, because opening one costs as much CPU time as a simple request. */
const connections = new Agent({ keepAlive: true });

/** Requests as a user with a password. `served` is called for each request, so the server may start later. */
export function requestsAs(
  served: () => Server | RequestListener,
  username: string,
  password: string,
): TestServer['request'] {
  const agent = supertest.agent('');
  Object.defineProperty(agent, 'app', { get: served });
  agent.use((request: supertest.Test) => request.agent(connections));
  agent.auth(username, password);
  agent.set('Accept-Encoding', 'identity'); // compression would take a twentieth of the CPU time of all tests
  return agent;
}

/** The compilers of a worker, stored globally because schemas outlive the modules of a test file. */
const shared = globalThis as { compilers?: WeakMap<GraphQLSchema, OperationCompiler> };

/**
 * Compiles each operation once for all servers of a worker. Otherwise, every server would compile the same operations
 * again, which would take a twentieth of the CPU time of all tests.
 */
function sharedCompiler(schema: GraphQLSchema): OperationCompiler {
  shared.compilers ??= new WeakMap();
  const known = shared.compilers.get(schema);
  if (known) return known;
  const compile = operationCompiler(schema);
  const compiled = new Map<string, ReturnType<OperationCompiler>>(); // by the text of the operation
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
  // The same timeout as in production: a busy client may reuse a connection after more than the default of 5 s.
  const http = createServer({ keepAliveTimeout: 65_000 }, app);
  await once(http.listen(0, '127.0.0.1'), 'listening');
  return http;
}

/**
 * Starts the application with the given settings, and with contributions to the content model.
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
  // Responses must not depend on the converters that are installed on the machine.
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
  const { services, indexed, stopCallersJobs } = opened;
  const undescribed: string[] = [];
  // openapi.json describes answers only for COMPATIBILITY=contract. In other test files, the comparison would cost a
  // twentieth of the CPU time and find nothing new.
  const isDescribed =
    config.COMPATIBILITY === 'contract' && describing.test(expect.getState().testPath ?? '');
  const app = isDescribed ? withDescribedAnswers(opened.app, undescribed) : opened.app;
  // The server caches nothing before it receives announcements of other processes, so requests would need more
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
 * One server for all tests of a file or of a `describe`. It is started before the first test and stopped after the
 * last; until then the object has only `request`.
 * @param settings the settings that differ from the defaults.
 * @param model contributions to the stock content model.
 * @param compilerOf a function that runs the operations of REST instead of compiled code.
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

/** The number of SQL statements that a response reports in `Server-Timing`, including those of authentication. */
export function statements(response: { headers: Record<string, unknown> }): number {
  const found = /sql;dur=[\d.]+;desc="(\d+)"/.exec(String(response.headers['server-timing']));
  if (!found) throw new Error('The answer has no header Server-Timing.');
  return Number(found[1]);
}
