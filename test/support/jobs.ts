import type { Config } from '../../src/config.ts';
import { startJobs } from '../../src/jobs/index.ts';
import type { Services } from '../../src/services.ts';
import type { TestServer } from './server.ts';

/**
 * Runs the jobs of a server until it stops, or until the function that is returned has resolved.
 * @param onError what failed is logged by default.
 */
export async function runJobs(
  server: TestServer,
  onError: (error: unknown) => void = (error) => server.logged.push({ error }),
): Promise<() => Promise<void>> {
  const stop = await startJobs(server.services, { onDone: () => {}, onError: (_, error) => onError(error) });
  server.beforeStop(stop);
  return stop;
}

/** The services of a server with some other settings, for jobs. */
export const withSettings = (
  { services }: Pick<TestServer, 'services'>,
  settings: Partial<Config>,
): Services => ({
  ...services,
  config: { ...services.config, ...settings },
});
