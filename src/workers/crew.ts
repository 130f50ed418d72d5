import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { FromWorker, ToWorker } from './messages.ts';

/** Milliseconds before another worker takes the place of one that died: doubled while they die early. */
const delays = { first: 250, longest: 30_000 };

/** A worker that lived for so many milliseconds did not die early. */
const early = 10_000;

/** Milliseconds after which a worker that does not serve yet is killed. */
const startPatience = 120_000;

/** Milliseconds that a worker has to end before it is killed: longer than it gives its requests. */
const patience = 12_000;

/** A worker that dies meanwhile does not hear it, which is no error of this process. */
export const sayTo = (worker: Worker, message: ToWorker): void => {
  if (worker.isConnected()) worker.send(message, () => {});
};

export interface Crew {
  readonly ready: ReadonlySet<Worker>;
  /**
   * Starts the first worker, and the others once it serves.
   * @returns where they listen.
   * @throws when the first one cannot start.
   */
  start(count: number): Promise<AddressInfo>;
  /** Replaces one worker after the other: the old one ends when the new one serves. */
  replaceAll(): Promise<void>;
  /** Their `/health/ready` is 503 from now on; they go on serving. */
  drain(): void;
  close(): Promise<void>;
}

/**
 * The processes that serve, and others in the place of those that die.
 * @param env settings of the workers that differ from those of this process.
 */
export function createCrew(env: Readonly<Record<string, string>>, log: Logger): Crew {
  const ready = new Set<Worker>();
  const retired = new WeakSet<Worker>();
  const closing = new AbortController();
  let deaths = 0;
  let isDraining = false;

  async function hire(): Promise<{ worker: Worker; address: AddressInfo }> {
    const began = performance.now();
    const worker = cluster.fork(env);
    const serving = new Promise<AddressInfo>((resolve, reject) => {
      worker.on('message', (message: FromWorker) => {
        if (message.type === 'ready') resolve(message.address);
      });
      worker.once('exit', () => reject(new Error('a worker ended before it served')));
    });
    worker.once('exit', (code, signal) => {
      if (!ready.delete(worker) || retired.has(worker) || closing.signal.aborted) return;
      log.error({ pid: worker.process.pid, code, signal }, 'a worker ended: another one takes its place');
      deaths = performance.now() - began < early ? deaths + 1 : 0;
      void add();
    });
    const late = setTimeout(() => worker.process.kill('SIGKILL'), startPatience);
    const address = await serving.finally(() => clearTimeout(late));
    ready.add(worker);
    if (isDraining) sayTo(worker, { type: 'drain' });
    return { worker, address };
  }

  async function add(): Promise<void> {
    while (!closing.signal.aborted) {
      const delay = deaths === 0 ? 0 : Math.min(delays.longest, delays.first * 2 ** deaths);
      await wait(delay, undefined, { ref: false });
      if (closing.signal.aborted) return;
      try {
        await hire();
        return;
      } catch (error) {
        if (closing.signal.aborted) return;
        deaths += 1;
        log.error({ err: error }, 'no other worker could be started: it is tried again');
      }
    }
  }

  async function dismiss(worker: Worker): Promise<void> {
    retired.add(worker);
    const isServing = ready.delete(worker);
    if (worker.isDead()) return;
    const ended = once(worker, 'exit');
    if (isServing) sayTo(worker, { type: 'stop' });
    else worker.process.kill('SIGTERM'); // it may not hear yet
    const late = setTimeout(() => worker.process.kill('SIGKILL'), patience);
    await ended;
    clearTimeout(late);
  }

  return {
    ready,
    start: async (count) => {
      const { address } = await hire(); // alone: what is wrong with the settings is said once
      for (let index = 1; index < count; index += 1) void add();
      return address;
    },
    replaceAll: async () => {
      const before = [...ready];
      for (const old of before) {
        if (closing.signal.aborted) return;
        if (!ready.has(old)) continue; // it died: another one has its place
        retired.add(old); // when it dies from now on, the new one has its place
        const hired = await hire().catch((error: unknown) => {
          retired.delete(old);
          if (!ready.has(old)) void add();
          if (!closing.signal.aborted) throw error;
        });
        if (!hired) return;
        await dismiss(old);
        log.info({ old: old.process.pid, new: hired.worker.process.pid }, 'a worker was replaced');
      }
    },
    drain: () => {
      isDraining = true;
      for (const worker of ready) sayTo(worker, { type: 'drain' });
    },
    close: async () => {
      closing.abort();
      const all = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
      await Promise.all(all.map(dismiss));
    },
  };
}
