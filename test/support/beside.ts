import { pino } from 'pino';
import supertest from 'supertest';
import { readConfig } from '../../src/config.ts';
import { createDatabase } from '../../src/db/database.ts';
import { connectServer } from '../../src/db/postgres-server.ts';
import { openServices } from '../../src/open-services.ts';
import { administrator } from './administrator.ts';
import { requestsAs, serve, type TestServer } from './server.ts';
import { until } from './until.ts';

/**
 * Starts a second application with the data folder and database of a test server. It has a separate pool and separate
 * caches, so it behaves like another process.
 */
export async function startBeside(
  { url, dataDir }: Pick<TestServer, 'url' | 'dataDir'>,
  settings: Record<string, string> = {},
): Promise<
  Pick<TestServer, 'anonymous' | 'http' | 'request' | 'stopCallersJobs'> & { close: () => Promise<void> }
> {
  const database = createDatabase(connectServer(url ?? '', 60));
  const config = readConfig({ DATA_DIR: dataDir, ...settings });
  const {
    app,
    stopCallersJobs,
    close: closeApp,
  } = await openServices(config, database, {
    log: pino({ level: 'silent' }),
    isReady: () => true,
  });
  await until(() => database.announcements.isConnected());
  const http = await serve(app);
  const close = async () => {
    http.closeAllConnections();
    http.close();
    await closeApp();
    await database.close();
  };
  return {
    http,
    anonymous: supertest(http),
    request: requestsAs(() => http, administrator.username, administrator.password),
    stopCallersJobs,
    close,
  };
}
