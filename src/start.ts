import cluster from 'node:cluster';
import { ConfigError, readConfig } from './config.ts';
import { connectionsOfFirst } from './db/connections.ts';
import { startFailureMessage } from './db/errors.ts';
import { openDatabase } from './embedded/open-database.ts';
import { ModelError } from './model/model-error.ts';

async function run(): Promise<void> {
  const config = readConfig();
  if (cluster.isWorker) {
    const [{ database }, { runWorker }] = await Promise.all([
      openDatabase(config),
      import('./workers/run-worker.ts'),
    ]);
    return runWorker(config, database);
  }
  const opening = openDatabase(config, connectionsOfFirst(config));
  // The embedded database starts, in processes of its own, while the rest of the program is loaded.
  const [opened, { runServer }] = await Promise.all([opening, import('./serving.ts')]);
  await runServer(config, opened);
}

run().catch((error: unknown) => {
  const isExplained = error instanceof ConfigError || error instanceof ModelError;
  const text = isExplained ? error.message : startFailureMessage(error);
  process.stderr.write(`Quire cannot start:\n${text}\n`);
  process.exit(1);
});
