import { startJobs } from '../../src/jobs/index.ts';
import type { TestServer } from './server.ts';

/**
 * Runs the jobs of a server until it stops, or until the function that is returned has resolved.
 * @param onError what failed is logged by default.
 */
export async function runJobs(
  server: TestServer,
  onError: (error: unknown) => void = (error) => server.logged.push({ error }),
): Promise<() => Promise<void>> {
  const stop = await startJobs(server, { onDone: () => {}, onError: (_, error) => onError(error) });
  server.beforeStop(stop);
  return stop;
}
