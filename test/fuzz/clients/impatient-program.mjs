const load = (module) => import(new URL(`../../../dist/${module}.js`, import.meta.url).href);

const [{ readConfig }, { openDatabase }, { createHttpServer, listen }, { createLogger }, { openServices }] =
  await Promise.all(
    ['config', 'embedded/open-database', 'http/http-server', 'log', 'open-services'].map(load),
  );

// The application behind a server with short timeouts, for the tests of slow clients.
const config = readConfig();
const log = createLogger(config.LOG_LEVEL);
const { database } = await openDatabase(config);
const { app } = await openServices(config, database, { log, isReady: () => true });
const timeouts = {
  headersTimeout: 1_000,
  requestTimeout: 4_000,
  connectionsCheckingInterval: 100,
  keepAliveTimeout: 1_500,
  idle: 1_000,
};
const { port } = await listen(createHttpServer(app, timeouts), config);
log.info(`Quire serves http://localhost:${port} with short timeouts`);
