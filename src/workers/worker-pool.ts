import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { FromWorker, ToWorker } from './messages.ts';
import { kill, lastRequest } from './stop-times.ts';

/**
 * The delay, in milliseconds, before a worker that has died is replaced. It doubles with every consecutive early death.
 */
const delays = { first: 250, max: 30_000 };

/** A worker that dies within this number of milliseconds after its start counts as an early death. */
const earlyDeath = 10_000;

/** The number of milliseconds after which a worker that is not ready yet is killed. */
const startTimeout = 120_000;

/** Sends a message to a worker. Errors are ignored, because the worker may die at any time. */
export const sendTo = (worker: Worker, message: ToWorker): void => {
  if (worker.isConnected()) worker.send(message, () => {});
};

interface WorkerPool {
  /** The workers that accept requests. Workers that are being replaced are not included. */
  readonly ready: ReadonlySet<Worker>;
  /**
   * Starts the first worker, and the others once it is ready.
   * @returns the address that all workers listen on.
   * @throws Error if the first worker cannot start.
   */
  start(count: number): Promise<AddressInfo>;
  /** Replaces the workers one by one. An old worker finishes its requests and exits once its replacement is ready. */
  replaceAll(): Promise<void>;
  /** Makes `/health/ready` of all workers respond with 503, while they continue to serve. */
  drain(): void;
  close(): Promise<void>;
}

interface PoolSettings {
  /** Environment variables that are set for the workers in addition to those of this process. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * The maximum number of replaced workers that are finishing requests. When the maximum is reached, no more workers
   * are replaced until one of these exits.
   */
  readonly maxFinishing: number;
  /** The number of milliseconds after which a replaced worker is killed. */
  readonly replacedKill: number;
}

/** Creates a pool of worker processes. A worker that dies is replaced, with a growing delay if workers keep dying. */
export function createWorkerPool({ env, maxFinishing, replacedKill }: PoolSettings, log: Logger): WorkerPool {
  const ready = new Set<Worker>();
  const finishing = new Map<Worker, Promise<unknown>>();
  const expectedToExit = new WeakSet<Worker>();
  const closing = new AbortController();
  let deaths = 0;
  let isDraining = false;

  async function fork(): Promise<{ worker: Worker; address: AddressInfo }> {
    const began = performance.now();
    const worker = cluster.fork(env);
    const serving = new Promise<AddressInfo>((resolve, reject) => {
      worker.on('message', (message: FromWorker) => {
        if (message.type === 'ready') resolve(message.address);
      });
      worker.once('exit', () => reject(new Error('The worker exited before it was ready.')));
      // If a worker cannot be forked, `error` is the only event that it emits.
      worker.on('error', (error) => {
        reject(error);
        if (worker.isDead()) delete cluster.workers?.[worker.id];
        else log.error({ err: error, pid: worker.process.pid }, 'The message channel to a worker failed.');
      });
    });
    worker.once('exit', (code, signal) => {
      if (!ready.delete(worker) || expectedToExit.has(worker) || closing.signal.aborted) return;
      log.error(
        { pid: worker.process.pid, code, signal },
        'A worker exited unexpectedly and is being replaced.',
      );
      deaths = performance.now() - began < earlyDeath ? deaths + 1 : 0;
      void add();
    });
    const late = setTimeout(() => worker.process.kill('SIGKILL'), startTimeout);
    const address = await serving.finally(() => clearTimeout(late));
    ready.add(worker);
    if (isDraining) sendTo(worker, { type: 'drain' });
    return { worker, address };
  }

  async function add(): Promise<void> {
    while (!closing.signal.aborted) {
      const delay = deaths === 0 ? 0 : Math.min(delays.max, delays.first * 2 ** deaths);
      await wait(delay, undefined, { ref: false });
      if (closing.signal.aborted) return;
      try {
        await fork();
        return;
      } catch (error) {
        if (closing.signal.aborted) return;
        deaths += 1;
        log.error({ err: error }, 'A worker could not be started; the server tries again.');
      }
    }
  }

  async function endOf(worker: Worker, time: number): Promise<void> {
    if (worker.isDead()) return;
    const late = setTimeout(() => worker.process.kill('SIGKILL'), time);
    await once(worker, 'exit');
    clearTimeout(late);
  }

  async function stop(worker: Worker): Promise<void> {
    expectedToExit.add(worker);
    if (ready.delete(worker) || finishing.has(worker)) sendTo(worker, { type: 'stop' });
    else worker.process.kill('SIGTERM'); // a worker that is still starting may not handle messages yet
    await endOf(worker, kill);
  }

  /**
   * Lets a replaced worker finish its requests. Resolves when the worker has exited, or when clients have stopped
   * sending it requests.
   */
  async function finish(worker: Worker): Promise<void> {
    ready.delete(worker);
    sendTo(worker, { type: 'finish' });
    const ended = endOf(worker, replacedKill).finally(() => finishing.delete(worker));
    finishing.set(worker, ended);
    await Promise.race([ended, wait(lastRequest)]);
  }

  async function untilFewerFinishing(): Promise<void> {
    if (finishing.size < maxFinishing) return;
    log.info(
      'Replaced workers are still finishing requests; the next worker is replaced when one of them exits.',
    );
    while (finishing.size >= maxFinishing) await Promise.race(finishing.values());
  }

  return {
    ready,
    start: async (count) => {
      // The first worker starts alone, so that an invalid setting is reported only once.
      const { address } = await fork();
      for (let index = 1; index < count; index += 1) void add();
      return address;
    },
    replaceAll: async () => {
      const before = [...ready];
      for (const old of before) {
        await untilFewerFinishing();
        if (closing.signal.aborted) return;
        if (!ready.has(old)) continue; // the old worker has died and is being replaced anyway
        expectedToExit.add(old); // from now on, the new worker also replaces an old one that dies
        const started = await fork().catch((error: unknown) => {
          expectedToExit.delete(old);
          if (!ready.has(old)) void add();
          if (!closing.signal.aborted) throw error;
        });
        if (!started) return;
        await finish(old);
        log.info({ old: old.process.pid, new: started.worker.process.pid }, 'A worker was replaced.');
      }
    },
    drain: () => {
      isDraining = true;
      for (const worker of ready) sendTo(worker, { type: 'drain' });
    },
    close: async () => {
      closing.abort();
      const all = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
      await Promise.all(all.map(stop));
    },
  };
}
