import type { Config } from '../config.ts';
import { longestUpload } from '../http/http-server.ts';

// The phases of a stop: the times, in milliseconds from its beginning, at which each of them ends.

/** The time by which clients have sent their last request on a connection. */
export const lastRequest = 2_000;

/** The time by which running requests, executions and jobs have ended. */
export const workEnd = lastRequest + 7_000;

/** The time by which pending data are written and the process exits. Supervisors kill it after ten seconds. */
export const processEnd = workEnd + 500;

/** The time at which the first process kills a worker that has not exited. */
export const kill = processEnd + 2_500;

/** The time by which requests and executions of a replaced worker have ended: the maximum duration of each of them. */
export const replacedWorkEnd = ({ TRANSACTION_TIMEOUT: seconds }: Pick<Config, 'TRANSACTION_TIMEOUT'>) =>
  lastRequest + longestUpload + seconds * 1000;

/** The time at which a replaced worker that has not exited is killed. */
export const replacedKill = (config: Pick<Config, 'TRANSACTION_TIMEOUT'>) => replacedWorkEnd(config) + kill;
