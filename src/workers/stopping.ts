import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { processEnd } from './stop-times.ts';

/** What serves the port: this process, or others that it has started. */
export interface Front {
  readonly address: AddressInfo;
  /** Asks for no more requests, and goes on serving. */
  readonly drain: () => void;
  readonly close: () => Promise<void>;
}

/** Begins at SIGTERM, which supervisors send; at Ctrl+C there is no load balancer to wait for. */
interface Draining {
  readonly seconds: number;
  readonly begin: () => void;
}

/**
 * @param stop ends what is under way; it is called once.
 * @returns a function that ends the process in order when it is first called, and at once the second time.
 */
export function endingProcess(
  log: Logger,
  stop: () => Promise<void>,
  draining?: Draining,
): (reason: string) => void {
  let isStopping = false;
  const end = (): void => {
    setTimeout(() => {
      log.warn('what was under way did not end in time, and is cut off');
      process.exit(0);
    }, processEnd);
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.fatal({ err: error }, 'did not stop cleanly');
        process.exit(1);
      },
    );
  };
  return (reason) => {
    if (isStopping) process.exit(1);
    isStopping = true;
    log.info({ signal: reason }, 'stopping');
    if (!draining || reason !== 'SIGTERM') return end();
    draining.begin();
    setTimeout(end, draining.seconds * 1000);
  };
}
