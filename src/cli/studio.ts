import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { Command, InvalidArgumentError } from 'commander';
import { readConfig } from '../config.ts';
import { freePort } from '../embedded/free-port.ts';
import { Unavailable } from '../errors.ts';
import { runCommand } from './run-command.ts';
import { openStudioDatabase, type StudioDatabase } from './studio/database.ts';
import { startStudio } from './studio/prisma-studio.ts';
import { createProxy, listenOnLoopback } from './studio/proxy.ts';

type StudioOptions = { readonly port: number; readonly open: boolean };

function portOf(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new InvalidArgumentError('A port is a number from 1 to 65535.');
}

function readCommand(): StudioOptions {
  const command = new Command('studio')
    .description('Shows the tables of the database in a browser, by Prisma Studio, until Ctrl+C ends it.')
    .option('--port <number>', 'the port of Prisma Studio', portOf, 5555)
    .option('--open', 'opens a browser', false)
    .addHelpText('after', '\nThe settings are those of the server, which may run meanwhile.')
    .parse();
  return command.opts<StudioOptions>();
}

/** Resolves at the first signal to stop; a second one ends the process. */
const interruption = (): Promise<void> =>
  new Promise((interrupted) => {
    let isStopping = false;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (isStopping) process.exit(1);
        isStopping = true;
        interrupted();
      });
    }
  });

function openBrowser(address: string): void {
  const opener = { darwin: 'open', win32: 'explorer' }[process.platform as string] ?? 'xdg-open';
  const child = spawn(opener, [address], { detached: true, stdio: 'ignore' });
  child.on('error', () => console.log(`There is no ${opener} to open it with.`)).unref();
}

async function serve(
  source: StudioDatabase,
  server: Server,
  { port, open }: StudioOptions,
  interrupted: Promise<void>,
): Promise<void> {
  const studioPort = await freePort();
  server.on('request', createProxy(port, studioPort));
  const studio = startStudio(source, studioPort);
  try {
    const isUp = await Promise.race([studio.ready.then(() => true), interrupted.then(() => false)]);
    if (!isUp) return;
    const address = `http://localhost:${port}`;
    console.log(`Prisma Studio shows ${source.name}:\n\n  ${address}\n\nCtrl+C ends it.`);
    if (open) openBrowser(address);
    const hasEnded = await Promise.race([studio.ended.then(() => true), interrupted.then(() => false)]);
    if (hasEnded) throw new Unavailable('Prisma Studio has ended by itself');
  } finally {
    server.close();
    server.closeAllConnections();
    await studio.stop();
  }
}

async function main(): Promise<number> {
  const options = readCommand();
  const config = readConfig();
  const interrupted = interruption();
  const server = createServer();
  await listenOnLoopback(server, options.port);
  const source = await openStudioDatabase(config);
  try {
    await serve(source, server, options, interrupted);
    return 0;
  } finally {
    await source.close();
  }
}

runCommand(main);
