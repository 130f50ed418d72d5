import type { Config } from '../../src/config.ts';
import { startJobs } from '../../src/jobs/index.ts';
import type { Services } from '../../src/services.ts';
import type { TestServer } from './server.ts';

/**
 * Runs the jobs of a server until the server stops.
 * @param onError receives the errors of jobs; by default, they are logged
 * @returns a function that stops the jobs before the server stops
 */
export async function runJobs(
  server: TestServer,
  onError: (error: unknown) => void = (error) => server.logged.push({ error }),
): Promise<() => Promise<void>> {
  const stop = await startJobs(server.services, { onDone: () => {}, onError: (_, error) => onError(error) });
  server.beforeStop(stop);
  return stop;
}

/**
 * Returns the services of a server with some settings changed, so that jobs can be run with these settings.
 */
export const withSettings = (
  { services }: Pick<TestServer, 'services'>,
  settings: Partial<Config>,
): Services => ({
  ...services,
  config: { ...services.config, ...settings },
});
