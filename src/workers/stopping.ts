import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { processEnd } from './stop-times.ts';

/** The server behind the port: this process, or the workers that it has started. */
export interface Front {
  readonly address: AddressInfo;
  /** Asks load balancers to send no more requests, while the server continues to serve. */
  readonly drain: () => void;
  readonly close: () => Promise<void>;
}

/** A delay between SIGTERM and the stop, for load balancers to notice. On Ctrl+C (SIGINT) there is no delay. */
interface Draining {
  readonly seconds: number;
  readonly begin: () => void;
}

/**
 * Implements the graceful shutdown of a process.
 * @param stop finishes running work. It is called once.
 * @returns a function that shuts the process down gracefully at the first call, and exits immediately at the second.
 */
export function endingProcess(
  log: Logger,
  stop: () => Promise<void>,
  draining?: Draining,
): (reason: string) => void {
  let isStopping = false;
  const end = (): void => {
    setTimeout(() => {
      log.warn('Running work did not end in time and is aborted.');
      process.exit(0);
    }, processEnd);
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.fatal({ err: error }, 'The server did not stop cleanly.');
        process.exit(1);
      },
    );
  };
  return (reason) => {
    if (isStopping) process.exit(1);
    isStopping = true;
    log.info({ signal: reason }, 'The server is stopping.');
    if (!draining || reason !== 'SIGTERM') return end();
    draining.begin();
    setTimeout(end, draining.seconds * 1000);
  };
}
