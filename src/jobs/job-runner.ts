import type { Database } from '../db/database.ts';
import {
  finishJob,
  lease,
  postponeJob,
  renewJobs,
  setJobAside,
  type TakenJob,
  takeJobs,
} from '../store/queue/take-jobs.ts';

/** An error that would occur again in every retry, so the job is set aside immediately. */
export class Final extends Error {}

/**
 * A job returns this value if it has more work to do. The job is then queued again behind jobs that are already due.
 */
export const unfinished = Symbol('unfinished');

export interface JobKind {
  readonly name: string;
  /** The maximum number of jobs of this kind that a process runs at the same time. */
  readonly maxConcurrent: number;
  /** The number of seconds before each retry. If the last retry fails, the job is set aside. */
  readonly delays: readonly number[];
  /**
   * The interval of a recurring job kind in seconds, or a function that returns the number of seconds until the next
   * run. There is always exactly one job of such a kind; `startJobs` adds it when a process starts.
   */
  readonly every?: number | (() => number);
  /**
   * Runs a job.
   * @param signal aborted when the process stops.
   * @returns a count for the log, or `unfinished`.
   */
  run(job: TakenJob, signal: AbortSignal): Promise<number | typeof unfinished | undefined>;
  onSetAside?(job: TakenJob, error: unknown): Promise<void>;
  readonly close?: () => void;
}

export interface JobRunnerCallbacks {
  readonly onDone: (kind: string, count: number | undefined) => void;
  readonly onError: (kind: string, error: unknown, job?: string) => void;
}

export interface JobRunnerOptions extends JobRunnerCallbacks {
  readonly database: Pick<Database, 'prisma' | 'query' | 'announce' | 'announcements'>;
  readonly kinds: readonly JobKind[];
  /**
   * The number of milliseconds between polls for due jobs. Polling is necessary because no notification is sent when a
   * retry is due.
   */
  readonly interval?: number;
}

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll('\0', '').slice(0, 500);

/**
 * The error of a job whose server process ended during every attempt, so that no attempt could record an error.
 */
const processEnded = new Final('the server process ended during each attempt');

type Settle = (job: TakenJob) => Promise<void>;

async function fail(
  { database }: JobRunnerOptions,
  kind: JobKind,
  job: TakenJob,
  error: unknown,
): Promise<void> {
  const seconds =
    error instanceof Final ? undefined : kind.delays[Math.min(job.attempts, kind.delays.length) - 1];
  const isLast = seconds === undefined || (kind.every === undefined && job.attempts > kind.delays.length);
  if (!isLast)
    return postponeJob(database, job, { seconds, attempts: job.attempts, error: messageOf(error) });
  await kind.onSetAside?.(job, error);
  await setJobAside(database, job, messageOf(error));
}

/**
 * Returns a job to the queue, where any runner can take it. @param attempts the number of attempts counted so far.
 */
async function giveBack(
  database: JobRunnerOptions['database'],
  job: TakenJob,
  attempts: number,
): Promise<void> {
  await postponeJob(database, job, { seconds: 0, attempts, error: null });
  await database.announce('jobs');
}

const settling =
  (options: JobRunnerOptions, kind: JobKind, signal: AbortSignal): Settle =>
  async (job) => {
    const { database, onDone, onError } = options;
    try {
      if (kind.every === undefined && job.attempts > kind.delays.length + 3) throw processEnded;
      const count = await kind.run(job, signal);
      if (count === unfinished) return await giveBack(database, job, 0);
      if (kind.every === undefined) await finishJob(database, job);
      else {
        const seconds = typeof kind.every === 'function' ? kind.every() : kind.every;
        await postponeJob(database, job, { seconds, attempts: 0, error: null });
      }
      onDone(kind.name, count);
    } catch (error) {
      if (signal.aborted) return giveBack(database, job, job.attempts - 1);
      onError(kind.name, error, job.id);
      await fail(options, kind, job, error);
    }
  };

/**
 * Runs jobs from the database. When a transaction that adds a job commits, runners are notified, so the job starts
 * immediately. Retries are found by polling at startup and every `interval` milliseconds. While a job runs, its lease
 * is renewed, so that no other runner takes the job. If the process dies, the lease expires and another runner repeats
 * the job, so a job must be safe to repeat or must commit its effects together with its completion.
 * @returns a function that stops the runner and resolves when the running jobs have ended. After `grace` milliseconds
 * (0 by default), their signals are aborted.
 */
export function startJobRunner(options: JobRunnerOptions): (grace?: number) => Promise<void> {
  const { database, kinds, interval = 30_000, onError } = options;
  const stopping = new AbortController();
  const running = new Map<string, { readonly job: TakenJob; readonly ended: Promise<void> }>();
  const settleOf = new Map(kinds.map((kind) => [kind.name, settling(options, kind, stopping.signal)]));
  let isStopping = false;
  let isWakePending = false;
  let taking: Promise<void> | undefined;

  const free = (): Map<string, number> => {
    const counts = new Map(kinds.map(({ name, maxConcurrent }) => [name, maxConcurrent]));
    for (const { job } of running.values()) counts.set(job.kind, (counts.get(job.kind) ?? 0) - 1);
    return new Map([...counts].filter(([, count]) => count > 0));
  };
  const begin = (job: TakenJob): void => {
    const ended = (settleOf.get(job.kind)?.(job) ?? Promise.resolve())
      .catch((error: unknown) => onError(job.kind, error, job.id))
      .finally(() => {
        running.delete(job.id);
        wake(); // a job with the same key, or one whose kind had reached its maximum, may be able to run now
      });
    running.set(job.id, { job, ended });
  };
  const take = async (): Promise<void> => {
    while (isWakePending && !isStopping) {
      isWakePending = false;
      const requested = free();
      const jobs = requested.size === 0 ? [] : await takeJobs(database, requested, [...running.keys()]);
      for (const job of jobs) begin(job);
    }
  };
  const wake = (): void => {
    if (isStopping) return;
    isWakePending = true;
    taking ??= take()
      .catch((error: unknown) => onError('take jobs', error))
      .finally(() => {
        taking = undefined;
        if (isWakePending) wake();
      });
  };
  const renewLeases = (): void => {
    const jobs = [...running.values()].map(({ job }) => job);
    if (jobs.length > 0) renewJobs(database, jobs).catch((error: unknown) => onError('renew jobs', error));
  };
  const polling = setInterval(wake, interval).unref();
  const renewing = setInterval(renewLeases, (lease * 1000) / 3).unref();
  const unregister = database.announcements.on('jobs', wake);
  wake();
  return async (grace = 0) => {
    isStopping = true;
    clearInterval(polling);
    unregister();
    const cut = setTimeout(() => stopping.abort(), grace);
    await taking;
    await Promise.all([...running.values()].map(({ ended }) => ended));
    clearTimeout(cut);
    clearInterval(renewing);
  };
}
