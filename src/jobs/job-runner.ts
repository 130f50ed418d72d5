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

/** An error that another attempt would only repeat: the job is set aside. */
export class Final extends Error {}

/** What a job returns that has more to do: it is taken again, after those that are due. */
export const unfinished = Symbol('unfinished');

export interface JobKind {
  readonly name: string;
  /** How many of it a process runs at a time. */
  readonly most: number;
  /** Seconds before each attempt after the first one; the job is set aside after the last. */
  readonly delays: readonly number[];
  /** Seconds after which its only job runs again; `startJobs` adds that job when a process starts. */
  readonly every?: number;
  /**
   * @param signal aborted when the process stops.
   * @returns a number to be logged, or `unfinished`.
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
  readonly database: Pick<Database, 'query' | 'announce' | 'announcements'>;
  readonly kinds: readonly JobKind[];
  /** Milliseconds after which jobs are looked for that no announcement named: those to be tried again. */
  readonly interval?: number;
}

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll('\0', '').slice(0, 500);

/** The error of a job whose process died whenever it ran. */
const deadly = new Final('its processes ended before it did');

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

/** Leaves a job to whatever runner takes it next. @param attempts how many count. */
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
      if (kind.every === undefined && job.attempts > kind.delays.length + 3) throw deadly;
      const count = await kind.run(job, signal);
      if (count === unfinished) return await giveBack(database, job, 0);
      if (kind.every === undefined) await finishJob(database, job);
      else await postponeJob(database, job, { seconds: kind.every, attempts: 0, error: null });
      onDone(kind.name, count);
    } catch (error) {
      if (signal.aborted) return giveBack(database, job, job.attempts - 1);
      onError(kind.name, error, job.id);
      await fail(options, kind, job, error);
    }
  };

/**
 * Runs jobs as soon as their transaction is committed, and those that became due earlier at its start and
 * every `interval` milliseconds.
 * @returns a function that stops it: it resolves when the jobs under way have ended. After `grace`
 * milliseconds (0 by default) the signals of jobs still under way are aborted.
 */
export function startJobRunner(options: JobRunnerOptions): (grace?: number) => Promise<void> {
  const { database, kinds, interval = 30_000, onError } = options;
  const stopping = new AbortController();
  const running = new Map<string, { readonly job: TakenJob; readonly ended: Promise<void> }>();
  const settleOf = new Map(kinds.map((kind) => [kind.name, settling(options, kind, stopping.signal)]));
  let isStopping = false;
  let isAsked = false;
  let taking: Promise<void> | undefined;

  const free = (): Map<string, number> => {
    const counts = new Map(kinds.map(({ name, most }) => [name, most]));
    for (const { job } of running.values()) counts.set(job.kind, (counts.get(job.kind) ?? 0) - 1);
    return new Map([...counts].filter(([, count]) => count > 0));
  };
  const begin = (job: TakenJob): void => {
    const ended = (settleOf.get(job.kind)?.(job) ?? Promise.resolve())
      .catch((error: unknown) => onError(job.kind, error, job.id))
      .finally(() => {
        running.delete(job.id);
        wake(); // for the next one of its key, and of a kind that had no place
      });
    running.set(job.id, { job, ended });
  };
  const take = async (): Promise<void> => {
    while (isAsked && !isStopping) {
      isAsked = false;
      const wanted = free();
      const jobs = wanted.size === 0 ? [] : await takeJobs(database, wanted, [...running.keys()]);
      for (const job of jobs) begin(job);
    }
  };
  const wake = (): void => {
    if (isStopping) return;
    isAsked = true;
    taking ??= take()
      .catch((error: unknown) => onError('take jobs', error))
      .finally(() => {
        taking = undefined;
        if (isAsked) wake();
      });
  };
  const beat = (): void => {
    const jobs = [...running.values()].map(({ job }) => job);
    if (jobs.length > 0) renewJobs(database, jobs).catch((error: unknown) => onError('renew jobs', error));
  };
  const looking = setInterval(wake, interval).unref();
  const beating = setInterval(beat, (lease * 1000) / 3).unref();
  const unregister = database.announcements.on('jobs', wake);
  wake();
  return async (grace = 0) => {
    isStopping = true;
    clearInterval(looking);
    unregister();
    const cut = setTimeout(() => stopping.abort(), grace);
    await taking;
    await Promise.all([...running.values()].map(({ ended }) => ended));
    clearTimeout(cut);
    clearInterval(beating);
  };
}
