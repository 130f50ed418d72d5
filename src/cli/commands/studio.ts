import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { InvalidArgumentError } from 'commander';
import { readConfig } from '../../config.ts';
import { freePort } from '../../embedded/free-port.ts';
import { Unavailable } from '../../errors.ts';
import { exitCode } from '../exit-codes.ts';
import { type CommandInput, type Output, runs } from '../run-command.ts';
import { openStudioDatabase, type StudioDatabase } from '../studio/database.ts';
import { startStudio } from '../studio/prisma-studio.ts';
import { createProxy, listenOnLoopback } from '../studio/proxy.ts';
import type { QuireCommand, Surroundings } from '../surroundings.ts';

type StudioOptions = { readonly port: number; readonly open: boolean; readonly write: boolean };

function portOf(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new InvalidArgumentError('must be an integer from 1 to 65535.');
}

/** Resolves when the first signal to stop arrives. A second signal terminates the process. */
const firstSignal = (surroundings: Surroundings): Promise<void> =>
  new Promise((interrupted) => {
    let isStopping = false;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      surroundings.on(signal, () => {
        if (isStopping) process.exit(1);
        isStopping = true;
        interrupted();
      });
    }
  });

function openBrowser(address: string, { warn }: Output): void {
  const opener = { darwin: 'open', win32: 'explorer' }[process.platform as string] ?? 'xdg-open';
  const child = spawn(opener, [address], { detached: true, stdio: 'ignore' });
  child.on('error', () => warn(`The browser cannot be opened, because ${opener} is not installed.`)).unref();
}

async function show(
  output: Output,
  source: StudioDatabase,
  server: Server,
  { port, open, write }: StudioOptions,
  interrupted: Promise<void>,
): Promise<void> {
  const studioPort = await freePort();
  server.on('request', createProxy(port, studioPort));
  const studio = startStudio(source, studioPort, write);
  try {
    const isUp = await Promise.race([studio.ready.then(() => true), interrupted.then(() => false)]);
    if (!isUp) return;
    const address = `http://localhost:${port}`;
    const mode = write ? 'can change' : 'shows, read-only,';
    const text = `Prisma Studio ${mode} ${source.name}:\n\n  ${address}\n\nPress Ctrl+C to stop.`;
    output.result(text, { database: source.name, address, isWritable: write });
    if (open) openBrowser(address, output);
    const hasEnded = await Promise.race([studio.ended.then(() => true), interrupted.then(() => false)]);
    if (hasEnded) throw new Unavailable('Prisma Studio has exited unexpectedly.');
  } finally {
    await studio.stop();
  }
}

async function open(output: Output, { options, surroundings }: CommandInput<StudioOptions>): Promise<number> {
  const config = readConfig(surroundings.env);
  const interrupted = firstSignal(surroundings);
  const server = createServer();
  await listenOnLoopback(server, options.port);
  try {
    const source = await openStudioDatabase(config);
    try {
      await show(output, source, server, options, interrupted);
    } finally {
      await source.close();
    }
    return exitCode.done;
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

export function studioCommand(command: QuireCommand): void {
  command
    .option('--port <number>', 'the port of Prisma Studio', portOf, 5555)
    .option('--open', 'open a browser', false)
    .option('--write', 'allow Studio to change rows; by default it is read-only', false)
    .addHelpText('after', '\nThe settings are those of the server, which can run at the same time.');
  runs<StudioOptions>(command, open);
}
