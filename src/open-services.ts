import { type App, createApp, type ProcessParts } from './app.ts';
import { readIdentityFile } from './auth/identity-file.ts';
import { sharedLoginAttempts } from './auth/index.ts';
import { requireValidChains } from './automation/chains/validate.ts';
import type { BlobStore } from './blobs/blob-store.ts';
import { openBlobStore } from './blobs/open-blob-store.ts';
import { makePrivate } from './blobs/private-folder.ts';
import { type Config, ConfigError, memoryBudgetOf, shareOf } from './config.ts';
import { type Conversions, createConversions } from './converters/conversions.ts';
import { findTools, programReport, type Tools } from './converters/programs/programs.ts';
import type { Database } from './db/database.ts';
import { MemoryBudget } from './db/memory-budget.ts';
import { newMeter } from './db/meter.ts';
import { settingsFindings } from './doctor/checks/settings.ts';
import { containRejections } from './extensions/guarded.ts';
import { extensionModels, extensionPageProviders, extensions } from './extensions/loaded.ts';
import { runInContext } from './graphql/run.ts';
import { serverOptions } from './http/caller.ts';
import { createMetrics, type Metrics } from './http/metrics.ts';
import { requestStateOf } from './http/request-state.ts';
import { createTraces, type Traces } from './http/traces.ts';
import type { CallerRuns } from './jobs/caller-runs.ts';
import { startCallersJobs, startJobs } from './jobs/index.ts';
import { logJobs } from './jobs/log-jobs.ts';
import { requireValidQueries } from './loaders/search/valid-queries.ts';
import { archiveTurns, searchTurns, transactionTurns } from './loaders/turns.ts';
import { loadModel } from './model/contributed/contributed.ts';
import { requireAll } from './model/model-error.ts';
import { setJsonValuesLimit } from './model/values/json-budget.ts';
import { restLinks } from './rest/links.ts';
import { createSecrets, tokenKeyOf } from './secrets.ts';
import { formsOf } from './selection/compatibility.ts';
import type { Services, StoredConversions } from './services.ts';
import { createJournal } from './store/audit/journal.ts';
import { endSessionsOfAbsentProviders } from './store/authorities/identity-sessions.ts';
import { countPasswordHashes, hashPassword } from './store/authorities/passwords.ts';
import { serverScope } from './store/authorities/server-scope.ts';
import { createRunningExecutions } from './store/executions/running-executions.ts';
import { checkExtensionNames, checkExtensionSql } from './store/extensions/check-extensions.ts';
import { countJobs } from './store/queue/manage-jobs.ts';
import { filledKindsText } from './store/renditions/filled-kinds.ts';
import { createStoredConversions } from './store/renditions/stored-conversions.ts';
import { typesWithText } from './store/search/file-words.ts';
import { keepIndexAnalysis, markNewIndex } from './store/search/index-analysis.ts';
import { createSearchIndex } from './store/search/search-index.ts';
import { startIndexing } from './store/search/search-indexes.ts';
import { createStockContent } from './store/stock/stock-content.ts';
import { analysisOf } from './words/analysis.ts';
import type { WordAnalysis } from './words/atoms.ts';
import { searchLanguages } from './words/language.ts';

/** The services and the application of a process. */
export interface OpenedServer {
  readonly services: Services;
  readonly app: App;
  readonly metrics: Metrics;
  /** Runs work as a user whom no request has authenticated. */
  readonly runAs: CallerRuns['runAs'];
  /**
   * Resolves when the database has all indexes that the content model declares. The server accepts requests even before
   * that.
   */
  readonly indexed: Promise<void>;
  /**
   * Stops asynchronous executions and bulk actions. Those that are still running after `grace` milliseconds are
   * aborted.
   */
  readonly stopCallersJobs: (grace?: number) => Promise<void>;
  /**
   * Starts the remaining background jobs. Only one process of a server runs them.
   * @returns a function that stops them
   */
  readonly startJobs: () => ReturnType<typeof startJobs>;
  /**
   * Stops asynchronous executions and bulk actions, and then writes all pending data. After that, the database can
   * be closed.
   * @param others other work that must end before the pending data are written
   * @param grace the number of milliseconds after which conversions and executions are aborted
   */
  readonly close: (others?: ReadonlyArray<Promise<unknown>>, grace?: number) => Promise<void>;
}

interface Opening extends Pick<ProcessParts, 'isReady' | 'compilerOf'>, Pick<Services, 'log'> {
  /** Returns the content of `/metrics` for all processes, if several processes serve requests. */
  readonly metricsOfAll?: (() => Promise<string>) | undefined;
  /** Whether this process runs the jobs that callers wait for; true by default. */
  readonly isServing?: boolean;
}

/**
 * The maximum number of concurrent conversions of a server. If conversion programs are installed, the limit applies
 * to each process separately.
 */
const concurrentConversions = 2;

/**
 * The number of milliseconds that a caller waits for a conversion to start before the response is 503. Jobs wait
 * longer.
 */
const maxConversionWait = 10_000;

/** Creates the word analysis for SEARCH_LANGUAGE. @throws ConfigError if there is no stemmer for the language */
export async function wordAnalysisOf({
  SEARCH_LANGUAGE: name,
}: Pick<Config, 'SEARCH_LANGUAGE'>): Promise<WordAnalysis> {
  const analysis = await analysisOf(name);
  if (analysis) return analysis;
  throw new ConfigError(`SEARCH_LANGUAGE: "${name}" is not one of ${searchLanguages.join(', ')}`);
}

/** Finds the installed programs that convert files. @throws ConfigError if tesseract does not support a language */
async function toolsOf({ CONVERTER_FOLDERS, OCR_LANGUAGES }: Config, log: Services['log']): Promise<Tools> {
  const tools = await findTools(CONVERTER_FOLDERS, OCR_LANGUAGES).catch((error: Error) => {
    throw new ConfigError(`OCR_LANGUAGES: ${error.message}`);
  });
  log.info(programReport(tools), 'Found programs that convert files.');
  return tools;
}

const tracesOf = async ({
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  OTEL_SERVICE_NAME: service,
}: Config): Promise<Traces | undefined> =>
  endpoint === undefined ? undefined : createTraces({ endpoint, service });

/** Loads and checks the model and the identity providers, and migrates the database. @throws ModelError, ConfigError */
async function prepareModel(
  config: Config,
  database: Database,
  { log, wordAnalysis }: Pick<Services, 'log' | 'wordAnalysis'>,
): Promise<Pick<Services, 'identityProviders' | 'model'>> {
  const model = await loadModel(config.MODEL_DIR, extensionModels(), extensionPageProviders());
  const identityProviders = await readIdentityFile(config, model);
  await requireAll([requireValidQueries(model), requireValidChains(model)]);
  checkExtensionNames(model, log);
  for (const { name, version } of extensions())
    log.info({ extension: name, version }, 'An extension is loaded.');
  const applied = await database.migrate();
  if (applied.length > 0) log.info({ applied }, 'migrated');
  await checkExtensionSql(database);
  await markNewIndex(database, wordAnalysis);
  await createStockContent(database, model, {
    repositories: config.REPOSITORIES,
    administrator: { username: config.ADMIN_USERNAME, password: config.ADMIN_PASSWORD },
    hash: hashPassword,
    isAdded: true,
  });
  return { model, identityProviders };
}

/** Restricts the permissions of DATA_DIR, and logs what is wrong with the settings. */
async function warnOfSettings(config: Config, log: Services['log']): Promise<void> {
  await makePrivate(config.DATA_DIR);
  for (const { problem, reason, remedy } of await settingsFindings(config))
    log.warn(`${problem} ${reason} ${remedy}`);
}

/** Ends the sessions that began with identity providers that have been removed from IDENTITY_FILE. */
async function endAbsentSessions(services: Services): Promise<void> {
  const { config, database, identityProviders, log } = services;
  const ended = await database.transaction(config.TRANSACTION_TIMEOUT, (db) =>
    endSessionsOfAbsentProviders(serverScope(services, db), identityProviders),
  );
  if (ended > 0)
    log.info({ ended }, 'Sessions of identity providers that are no longer configured have ended.');
}

/** Starts the writers that run in the background until they are closed. */
function startWriters(
  {
    database,
    model,
    wordAnalysis: analysis,
    log,
  }: Pick<Services, 'database' | 'model' | 'wordAnalysis' | 'log'>,
  tools: Tools,
) {
  const onError = (message: string) => (error: unknown) => log.error({ err: error }, message);
  return {
    journal: createJournal(database, onError('Log entries could not be written. The server will try again.')),
    executing: createRunningExecutions(
      database,
      onError('The database could not be queried for aborted executions.'),
    ),
    stopIndexBuild: keepIndexAnalysis(database, {
      analysis,
      textTypes: typesWithText(tools),
      onStart: () =>
        log.info('Rebuilding the search index, because the word analysis or SEARCH_LANGUAGE has changed.'),
      onDone: (documents) => log.info({ documents }, 'The search index has been rebuilt.'),
      onError: onError('The search index could not be rebuilt. The server will try again.'),
    }),
    searchIndex: createSearchIndex(database, {
      analysis,
      filledKinds: filledKindsText(model, tools),
      textTypes: typesWithText(tools),
      onError: onError('The search index could not be updated. The server will try again.'),
      onSetAside: ({ repository, id }, reason) =>
        log.warn(
          { repository, document: id, reason },
          'A document cannot be indexed, so searches do not find it.',
        ),
    }),
    indexing: startIndexing(database, model, {
      onDone: ({ made, dropped, omitted }) => {
        if (made.length + dropped.length > 0)
          log.info({ made, dropped }, 'Search indexes have been created or dropped.');
        if (omitted.length > 0)
          log.warn(
            'The PostgreSQL extension pg_trgm is not installed, so LIKE searches cannot use an index.',
          );
      },
      onError: onError('The indexes that the content model declares could not be created.'),
    }),
  };
}

function conversionsOf(config: Config, blobs: BlobStore, tools: Tools, log: Services['log']) {
  const runsPrograms = Object.keys(tools.paths).length > 0;
  const processes = runsPrograms ? concurrentConversions : shareOf(concurrentConversions, config);
  const converting = createConversions({ blobs, tools, processes });
  const conversionsFor = (maxWait?: number): StoredConversions => {
    const convert: Conversions['convert'] = (conversion) => converting.convert(conversion, maxWait);
    return createStoredConversions({ tools, conversions: { convert, wordsOf: converting.wordsOf }, log });
  };
  return { converting, conversions: conversionsFor(maxConversionWait), jobConversions: conversionsFor() };
}

/** Creates the metrics of a process and the services that report to them: the queues and the memory budget. */
function measuredServices(config: Config, database: Database, ofAll: Opening['metricsOfAll']) {
  const memoryBudget = new MemoryBudget(memoryBudgetOf(config), {
    onWaited: (seconds) => metrics.memory.onWaited(seconds),
    onRefused: () => metrics.memory.onRefused(),
  });
  const metrics: Metrics = createMetrics({
    memoryHeld: () => memoryBudget.held,
    statementsOf: (response) => requestStateOf(response).meter.statements,
    jobs: () => countJobs(database),
    passwordHashes: countPasswordHashes,
    readServers: () => database.reads.servers(),
    ofAll,
  });
  const { DATABASE_CONNECTIONS: connections, WORKERS: workers } = config;
  const measured = {
    memoryBudget,
    metricSamples: metrics.history.samples,
    searchTurns: searchTurns({ connections, workers }, metrics.searches),
    archiveTurns: archiveTurns(connections, metrics.archives),
    transactionTurns: transactionTurns(connections, metrics.transactions),
  };
  return { metrics, measured };
}

const callerRuns = (services: Services, { runCall }: Pick<App, 'runCall'>): CallerRuns => ({
  runAs: (user, repository) => (kind, work) => {
    const options = serverOptions(services.config, repository, restLinks);
    return runInContext(services, { user, options, meter: newMeter() }, kind, work);
  },
  runCall: (execution, user, signal) => runCall(execution, { user, signal, meter: newMeter() }),
});

/**
 * Migrates the database, opens all services of the server, and starts the jobs that callers wait for.
 * @throws ModelError, ConfigError
 */
export async function openServices(
  config: Config,
  database: Database,
  { log, isReady, compilerOf, metricsOfAll, isServing = true }: Opening,
): Promise<OpenedServer> {
  setJsonValuesLimit(config.JSON_VALUES_LIMIT);
  containRejections(log);
  const wordAnalysis = await wordAnalysisOf(config);
  const { model, identityProviders } = await prepareModel(config, database, { log, wordAnalysis });
  await warnOfSettings(config, log);
  const blobs = await openBlobStore(config);
  const secrets = createSecrets(await tokenKeyOf(config.TOKEN_KEY, config.DATA_DIR), config.JWT_SECRET);
  const tools = await toolsOf(config, log);
  const { indexing, journal, executing, searchIndex, stopIndexBuild } = startWriters(
    { database, model, wordAnalysis, log },
    tools,
  );
  const { converting, ...conversions } = conversionsOf(config, blobs, tools, log);
  const { metrics, measured } = measuredServices(config, database, metricsOfAll);
  const services: Services = {
    config,
    log,
    database,
    model,
    blobs,
    secrets,
    identityProviders,
    ...conversions,
    journal,
    attempts: sharedLoginAttempts(config, database, journal),
    executing,
    searchIndex,
    wordAnalysis,
    ...measured,
    markdownType: formsOf(config.COMPATIBILITY).markdownType,
  };
  await endAbsentSessions(services);
  const traces = await tracesOf(config);
  const app = createApp(services, { metrics, isReady, traces, compilerOf });
  const stopCallersJobs = isServing
    ? startCallersJobs(services, callerRuns(services, app), logJobs(log))
    : async () => {};
  const close: OpenedServer['close'] = async (others = [], grace = 0) => {
    const cut = setTimeout(() => {
      void converting.close(); // This also aborts executions that are waiting for conversions.
      void journal.flush();
    }, grace);
    // The journal is flushed first, because the process can be killed before all work has ended.
    await Promise.all([...others, stopCallersJobs(grace), journal.flush()]);
    clearTimeout(cut);
    const closing = [indexing.close(), searchIndex.close(), journal.close(), converting.close()];
    await Promise.all([...closing, stopIndexBuild(), traces?.close()]);
  };
  return {
    services,
    app,
    metrics,
    runAs: callerRuns(services, app).runAs,
    indexed: indexing.settled,
    stopCallersJobs,
    startJobs: () => startJobs(services, logJobs(log), callerRuns(services, app)),
    close,
  };
}
