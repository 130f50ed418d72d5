import { mkdtemp, rm } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import supertest from 'supertest';
import type { BlobStore } from '../../src/blobs/blob-store.ts';
import { readConfig } from '../../src/config.ts';
import type { Database } from '../../src/db/database.ts';
import { start as startApp } from '../../src/start.ts';
import type { Executing } from '../../src/store/executing.ts';
import type { Journal } from '../../src/store/journal.ts';
import { stockedDatabase } from './database.ts';
import { until } from './until.ts';

/** The whole application on a database of its own, without a port. */
export interface TestServer {
  /** Requests as the stock Administrator; `anonymous` sends none of its credentials. */
  readonly request: ReturnType<typeof supertest.agent>;
  readonly anonymous: ReturnType<typeof supertest>;
  readonly app: RequestListener;
  readonly database: Database;
  /** Where the database is, when it is on a server. */
  readonly url: string | undefined;
  readonly blobs: BlobStore;
  /** What is written soon after. */
  readonly journal: Journal;
  readonly executing: Executing;
  readonly dataDir: string;
  /** What was logged, as objects, oldest first. */
  readonly logged: Array<Record<string, unknown>>;
  readonly stop: () => Promise<void>;
}

export const administrator = { username: 'Administrator', password: 'Administrator' } as const;

/** Starts the application with some settings other than the default ones. */
export async function start(settings: Record<string, string> = {}): Promise<TestServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'quire-test-'));
  const config = readConfig({ DATA_DIR: dataDir, ...settings });
  const { database, url } = await stockedDatabase(config.DATABASE_CONNECTIONS);
  const logged: TestServer['logged'] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => logged.push(JSON.parse(line)) });
  const { app, blobs, journal, executing } = await startApp(config, database, {
    log,
    isReady: () => true,
  });
  // Until word of other processes arrives nothing is remembered, and requests cost more statements.
  await until(() => database.announcements.areHeard());
  const request = supertest.agent(app);
  request.auth(administrator.username, administrator.password);
  return {
    ...{ request, anonymous: supertest(app), app, database, url, blobs, journal, executing },
    ...{ dataDir, logged },
    stop: async () => {
      await executing.close(0);
      await journal.close();
      await database.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** How many SQL statements an answer says it cost, authentication included. */
export function statements(response: { headers: Record<string, unknown> }): number {
  const found = /sql;dur=[\d.]+;desc="(\d+)"/.exec(String(response.headers['server-timing']));
  if (!found) throw new Error('the answer has no Server-Timing');
  return Number(found[1]);
}
