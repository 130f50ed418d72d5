import { join } from 'node:path';
import { type AppServices, createApp } from './app.ts';
import { openBlobStore } from './blobs/blob-store.ts';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import type { Application } from './http/messages.ts';
import { loadModel } from './model/contributed.ts';
import type { Model } from './model/model.ts';
import { createSecrets, tokenKeyOf } from './secrets.ts';
import { createExecuting, type Executing } from './store/executing.ts';
import { createJournal, type Journal } from './store/journal.ts';
import { hashPassword } from './store/passwords.ts';
import { layStockContent } from './store/stock-content.ts';

export interface Started {
  readonly app: Application;
  readonly blobs: Awaited<ReturnType<typeof openBlobStore>>;
  /** Both to be closed before the database is. */
  readonly journal: Journal;
  readonly executing: Executing;
}

/** A JWT_SECRET of fewer bytes is worth a warning. */
const soundSecret = 32;

/** @throws ModelError when a contributed page provider looks for what there is not; only then is the language loaded. */
async function requireSoundQueries(model: Model): Promise<void> {
  if (![...model.pageProviders.values()].some(({ file }) => file !== undefined)) return;
  const { requireSoundProviders } = await import('./query/sound-providers.ts');
  requireSoundProviders(model);
}

/** Brings a database up to date, lays the stock content, and makes the application over it. */
export async function start(
  config: Config,
  database: Database,
  process: Pick<AppServices, 'log' | 'isReady'>,
): Promise<Started> {
  const model = await loadModel(config.MODEL_DIR);
  await requireSoundQueries(model);
  const applied = await database.migrate();
  if (applied.length > 0) process.log.info({ applied }, 'migrated');
  if (config.JWT_SECRET && Buffer.byteLength(config.JWT_SECRET) < soundSecret) {
    process.log.warn(`JWT_SECRET is shorter than ${soundSecret} bytes: it can be guessed`);
  }
  await layStockContent(database, model, {
    repositories: config.REPOSITORIES,
    administrator: { username: config.ADMIN_USERNAME, password: config.ADMIN_PASSWORD },
    hash: hashPassword,
  });
  const blobs = await openBlobStore(join(config.DATA_DIR, 'blobs'));
  const secrets = createSecrets(await tokenKeyOf(config.TOKEN_KEY, config.DATA_DIR), config.JWT_SECRET);
  const journal = createJournal(database, (error) =>
    process.log.error({ err: error }, 'log entries wait: they cannot be written'),
  );
  const executing = createExecuting(database, {
    most: Math.max(1, Math.floor(config.DATABASE_CONNECTIONS / 2)),
    onError: (error) => process.log.error({ err: error }, 'the database cannot be told of executions'),
  });
  const app = createApp({ config, database, blobs, journal, executing, model, secrets, ...process });
  return { app, blobs, journal, executing };
}
