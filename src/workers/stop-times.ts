import type { Config } from '../config.ts';
import { longestUpload } from '../http/http-server.ts';

// When the parts of a stop are over, in milliseconds from its beginning, each computed from the one before.

/** Clients send their last request on a connection. */
export const lastRequest = 2_000;

/** Requests, executions and jobs under way end. */
export const workEnd = lastRequest + 7_000;

/** What they have left is written, and the process ends: supervisors wait for ten seconds. */
export const processEnd = workEnd + 500;

/** The first process kills a worker that has not ended. */
export const kill = processEnd + 2_500;

/** Requests and executions of a worker that is replaced end: as the longest of them would anyway. */
export const replacedWorkEnd = ({ TRANSACTION_TIMEOUT: seconds }: Pick<Config, 'TRANSACTION_TIMEOUT'>) =>
  lastRequest + longestUpload + seconds * 1000;

export const replacedKill = (config: Pick<Config, 'TRANSACTION_TIMEOUT'>) => replacedWorkEnd(config) + kill;
