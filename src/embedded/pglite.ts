import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Unavailable } from '../errors.ts';
import type { Engine, RunningEngine } from './engine.ts';
import { loader } from './files.ts';
import type { PgliteMessage, PgliteOrder } from './pglite-server.ts';

export const pgliteFolder = (dataDir: string): string => join(dataDir, 'postgres');

const program = fileURLToPath(new URL(`./pglite-server${extname(import.meta.url)}`, import.meta.url));

async function untilReady(child: ChildProcess): Promise<void> {
  const message = await Promise.race([
    once(child, 'message').then(([said]) => said as PgliteMessage),
    once(child, 'exit').then((): PgliteMessage => ({ fault: 'PGlite has ended at its start: see host.log' })),
  ]);
  if (message !== 'ready') throw new Unavailable(message.fault);
}

/** Starts PGlite in a process of its own, which ends when the process that started it does. */
export async function startPglite(folder: string, password: string, port: number): Promise<RunningEngine> {
  const child = spawn(process.execPath, [...loader, program], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    detached: true,
    windowsHide: true,
  });
  const ended = once(child, 'exit').then(() => {});
  // Not as an argument: other users could read it.
  child.send({ folder, password, port } satisfies PgliteOrder);
  await untilReady(child);
  const stop = async () => {
    if (child.connected) child.disconnect();
    await ended;
  };
  const abandon = () => void child.kill('SIGKILL');
  return { url: `postgresql://quire:${password}@127.0.0.1:${port}/postgres`, ended, stop, abandon };
}

const lacks =
  'it has one connection, no statement timeouts and no fsync; set DATABASE_URL for anything serious';

/** The fallback: PostgreSQL compiled to WebAssembly, where its programs cannot run for the reason given. */
export function pglite(dataDir: string, password: string, reason: string): Engine {
  const folder = pgliteFolder(dataDir);
  return {
    notice: `PGlite, the fallback, runs on ${folder}, since ${reason}: ${lacks}`,
    isFallback: true,
    connections: 1,
    start: (port) => startPglite(folder, password, port),
  };
}
