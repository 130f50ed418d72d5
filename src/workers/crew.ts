import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { FromWorker, ToWorker } from './messages.ts';
import { kill, lastRequest } from './stop-times.ts';

/** Milliseconds before another worker takes the place of one that died: doubled while they die early. */
const delays = { first: 250, longest: 30_000 };

/** A worker that lived for so many milliseconds did not die early. */
const early = 10_000;

/** Milliseconds after which a worker that does not serve yet is killed. */
const startPatience = 120_000;

/** A worker that dies meanwhile does not hear it, which is no error of this process. */
export const sayTo = (worker: Worker, message: ToWorker): void => {
  if (worker.isConnected()) worker.send(message, () => {});
};

interface Crew {
  readonly ready: ReadonlySet<Worker>;
  /**
   * Starts the first worker, and the others once it serves.
   * @returns where they listen.
   * @throws when the first one cannot start.
   */
  start(count: number): Promise<AddressInfo>;
  /** Replaces one worker after the other: when the new one serves, the old one finishes what it has. */
  replaceAll(): Promise<void>;
  /** Their `/health/ready` is 503 from now on; they go on serving. */
  drain(): void;
  close(): Promise<void>;
}

interface CrewSettings {
  /** Settings of the workers that differ from those of this process. */
  readonly env: Readonly<Record<string, string>>;
  /** How many that were replaced may still be at requests; another one is replaced when one of them ends. */
  readonly mostReplaced: number;
  /** Milliseconds after which a worker that was replaced is killed. */
  readonly replacedKill: number;
}

/** The processes that serve, and others in the place of those that die. */
export function createCrew({ env, mostReplaced, replacedKill }: CrewSettings, log: Logger): Crew {
  const ready = new Set<Worker>();
  const replaced = new Map<Worker, Promise<unknown>>();
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
      // Also of one that could not be started: there is no other event then.
      worker.on('error', (error) => {
        reject(error);
        if (worker.isDead()) delete cluster.workers?.[worker.id];
        else log.error({ err: error, pid: worker.process.pid }, 'a worker cannot be reached');
      });
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

  async function endOf(worker: Worker, time: number): Promise<void> {
    if (worker.isDead()) return;
    const late = setTimeout(() => worker.process.kill('SIGKILL'), time);
    await once(worker, 'exit');
    clearTimeout(late);
  }

  async function dismiss(worker: Worker): Promise<void> {
    retired.add(worker);
    if (ready.delete(worker) || replaced.has(worker)) sayTo(worker, { type: 'stop' });
    else worker.process.kill('SIGTERM'); // it may not hear yet
    await endOf(worker, kill);
  }

  /** Resolves when a worker has ended, or is asked for nothing any more. */
  async function retire(worker: Worker): Promise<void> {
    ready.delete(worker);
    sayTo(worker, { type: 'retire' });
    const ended = endOf(worker, replacedKill).finally(() => replaced.delete(worker));
    replaced.set(worker, ended);
    await Promise.race([ended, wait(lastRequest)]);
  }

  async function untilFewer(): Promise<void> {
    if (replaced.size < mostReplaced) return;
    log.info('old workers are still at requests: another one is replaced when one of them has ended');
    while (replaced.size >= mostReplaced) await Promise.race(replaced.values());
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
        await untilFewer();
        if (closing.signal.aborted) return;
        if (!ready.has(old)) continue; // it died: another one has its place
        retired.add(old); // when it dies from now on, the new one has its place
        const hired = await hire().catch((error: unknown) => {
          retired.delete(old);
          if (!ready.has(old)) void add();
          if (!closing.signal.aborted) throw error;
        });
        if (!hired) return;
        await retire(old);
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
