import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { Command, InvalidArgumentError } from 'commander';
import { ConfigError, readConfig } from '../config.ts';
import { explain } from '../db/errors.ts';
import { Unavailable } from '../errors.ts';
import { startStudio } from './studio/prisma-studio.ts';
import { freePort, handOn, listen } from './studio/proxy.ts';
import { findSource, type Source } from './studio/source.ts';

/** What the command line asks for. */
interface Task {
  readonly port: number;
  /** Whether to open a browser. */
  readonly open: boolean;
}

function portOf(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new InvalidArgumentError('A port is a number from 1 to 65535.');
}

function readCommand(): Task {
  const command = new Command('studio')
    .description('Shows the tables of the database in a browser, by Prisma Studio, until Ctrl+C ends it.')
    .option('--port <number>', 'where the browser finds it', portOf, 5555)
    .option('--open', 'opens the browser', false)
    .addHelpText(
      'after',
      '\nThe settings are those of the server. The embedded database is shown when the server is stopped,\n' +
        'or when it runs with EMBEDDED_PORT, which is then to be set here too.',
    )
    .parse();
  return command.opts<{ port: number; open: boolean }>();
}

/** Resolves at the first signal to stop; a second one ends the process at once. */
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

/** Shows a database until somebody wants no more. @returns the exit code. */
async function show(source: Source, server: Server, task: Task, interrupted: Promise<void>): Promise<number> {
  const { port, open } = task;
  const studioPort = await freePort();
  server.on('request', handOn(port, studioPort));
  const studio = startStudio(source, studioPort);
  try {
    const isUp = await Promise.race([studio.ready.then(() => true), interrupted.then(() => false)]);
    if (!isUp) return 0;
    const address = `http://localhost:${port}`;
    console.log(`Prisma Studio shows ${source.name}:\n\n  ${address}\n\nCtrl+C ends it.`);
    if (open) openBrowser(address);
    const hasEnded = await Promise.race([studio.ended.then(() => true), interrupted.then(() => false)]);
    if (hasEnded) throw new Unavailable('Prisma Studio has ended by itself');
    return 0;
  } finally {
    server.close();
    server.closeAllConnections();
    await studio.stop();
  }
}

async function main(): Promise<number> {
  const task = readCommand();
  const config = readConfig();
  const interrupted = interruption();
  const server = createServer();
  await listen(server, task.port);
  const source = await findSource(config);
  try {
    return await show(source, server, task, interrupted);
  } finally {
    await source.close();
  }
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof ConfigError ? error.message : explain(error));
    process.exit(1);
  },
);
