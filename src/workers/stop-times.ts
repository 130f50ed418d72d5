import type { Config } from '../config.ts';
import { longestUpload } from '../http/http-server.ts';

// The phases of a graceful shutdown. Each constant is a deadline in milliseconds after the beginning of the shutdown.

/** The deadline for clients to send their last request on an open connection. */
export const lastRequest = 2_000;

/** The deadline for running requests, executions and jobs to finish. */
export const workEnd = lastRequest + 7_000;

/**
 * The deadline for pending data to be written and the process to exit. Supervisors typically kill a process after ten
 * seconds.
 */
export const processEnd = workEnd + 500;

/** The deadline after which the first process kills a worker that has not exited. */
export const kill = processEnd + 2_500;

/** The deadline for requests and executions of a replaced worker, which may take their maximum duration. */
export const replacedWorkEnd = ({ TRANSACTION_TIMEOUT: seconds }: Pick<Config, 'TRANSACTION_TIMEOUT'>) =>
  lastRequest + longestUpload + seconds * 1000;

/** The deadline after which a replaced worker that has not exited is killed. */
export const replacedKill = (config: Pick<Config, 'TRANSACTION_TIMEOUT'>) => replacedWorkEnd(config) + kill;
