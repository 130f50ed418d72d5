import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { processEnd } from './stop-times.ts';

/** The part of the server that listens on the port: this process, or the workers that it has started. */
export interface Front {
  readonly address: AddressInfo;
  /** Asks load balancers to stop sending requests, while the server continues to serve. */
  readonly drain: () => void;
  readonly close: () => Promise<void>;
}

/**
 * The period between SIGTERM and the stop during which load balancers notice that the server is about to stop. There is
 * no such period after Ctrl+C (SIGINT).
 */
interface Draining {
  readonly seconds: number;
  readonly begin: () => void;
}

/**
 * Implements the graceful shutdown of a process.
 * @param stop finishes running work. It is called only once.
 * @returns a function that starts a graceful shutdown at the first call, and exits immediately at the second.
 */
export function endingProcess(
  log: Logger,
  stop: () => Promise<void>,
  draining?: Draining,
): (reason: string) => void {
  let isStopping = false;
  const end = (): void => {
    setTimeout(() => {
      log.warn('Running work did not finish in time and is aborted.');
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
