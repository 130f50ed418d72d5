import { readConfig } from '../../../src/config.ts';
import { openDatabase } from '../../../src/embedded/open-database.ts';
import { createHttpServer, listen } from '../../../src/http/http-server.ts';
import { createLogger } from '../../../src/log.ts';
import { prepareApp } from '../../../src/prepare-app.ts';

// The application behind a server with short timeouts, for the tests of slow clients.
const config = readConfig();
const log = createLogger(config.LOG_LEVEL);
const { database } = await openDatabase(config);
const { app } = await prepareApp(config, database, { log, isReady: () => true });
const timeouts = {
  headersTimeout: 1_000,
  requestTimeout: 4_000,
  connectionsCheckingInterval: 100,
  keepAliveTimeout: 1_500,
  idle: 1_000,
};
const { port } = await listen(createHttpServer(app, timeouts), config);
log.info(`Quire serves http://localhost:${port} with short timeouts`);
