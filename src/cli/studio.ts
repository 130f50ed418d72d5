import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError } from 'commander';
import pg from 'pg';
import { type Config, ConfigError, readConfig } from '../config.ts';
import { databaseFolder, openFolder } from '../db/embedded.ts';
import { explain } from '../db/errors.ts';
import { serveSocket } from '../db/socket.ts';
import { Unavailable } from '../errors.ts';

/** What the command line asks for. */
interface Task {
  readonly port: number;
  /** Whether to open a browser. */
  readonly open: boolean;
}

/** The database that is shown. */
interface Source {
  readonly url: URL;
  /** What it is, for people. */
  readonly name: string;
  readonly close: () => Promise<void>;
}

const loopback = '127.0.0.1';

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

/** What a database says of its version: proves that it answers. */
async function versionOf(url: URL): Promise<string> {
  const client = new pg.Client({ connectionString: url.href, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    return (await client.query<{ version: string }>('SELECT version()')).rows[0]?.version ?? '';
  } finally {
    await client.end().catch(() => {}); // it never began, and the reason is on its way
  }
}

const embeddedUrl = (port: number): URL => new URL(`postgresql://postgres@${loopback}:${port}/postgres`);

/** The embedded database of a server that runs, and may have opened a port to it. */
async function ofServer({ EMBEDDED_PORT: port, DATA_DIR }: Config, inUse: Unavailable): Promise<Source> {
  if (port === undefined) {
    throw new Unavailable(
      `${inUse.message}\nTo look at it while that process runs, set EMBEDDED_PORT for both.`,
    );
  }
  const version = await versionOf(embeddedUrl(port)).catch(() => '');
  if (!version.includes('PGlite')) {
    throw new Unavailable(
      `${inUse.message}\nIt does not answer on EMBEDDED_PORT ${port}: start it with the same one.`,
    );
  }
  return {
    url: embeddedUrl(port),
    name: `the embedded database of ${resolve(DATA_DIR)}`,
    close: async () => {},
  };
}

async function embedded(config: Config): Promise<Source> {
  const { DATA_DIR } = config;
  if (!existsSync(databaseFolder(DATA_DIR))) {
    throw new Unavailable(
      `there is no database in ${DATA_DIR} yet: the server creates it at its first start`,
    );
  }
  try {
    const { db, letGo } = await openFolder(DATA_DIR);
    const socket = await serveSocket(db, 0);
    const close = async () => {
      await socket.close();
      await db.close();
      letGo();
    };
    const name = `the embedded database of ${resolve(DATA_DIR)}, which no server can open meanwhile`;
    return { url: embeddedUrl(socket.port), name, close };
  } catch (error) {
    if (error instanceof Unavailable) return ofServer(config, error);
    throw error;
  }
}

async function findSource(config: Config): Promise<Source> {
  if (config.DATABASE_URL === undefined) return embedded(config);
  const url = new URL(config.DATABASE_URL);
  await versionOf(url);
  return { url, name: `the database ${url.pathname.slice(1)} of ${url.host}`, close: async () => {} };
}

/** Studio's page reports every launch to its makers: the browser is told to ask nobody but us. */
const policy = "default-src 'self' 'unsafe-inline' data: blob:";

/** Hands requests on to Studio, from pages of ours alone: it takes SQL from whoever reaches it. */
function handOn(port: number, studioPort: number) {
  const hosts = [`localhost:${port}`, `${loopback}:${port}`];
  return (incoming: IncomingMessage, response: ServerResponse): void => {
    const { host = '', origin, ...headers } = incoming.headers;
    const isOurs =
      hosts.includes(host) && (origin === undefined || hosts.includes(origin.replace('http://', '')));
    if (!isOurs) {
      response.writeHead(403).end();
      return;
    }
    const to = { host: loopback, port: studioPort, method: incoming.method, path: incoming.url, headers };
    const outgoing = request(to, (answer) => {
      response.writeHead(answer.statusCode ?? 502, { ...answer.headers, 'content-security-policy': policy });
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    response.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  };
}

async function listen(server: Server, port: number): Promise<number> {
  try {
    await once(server.listen(port, loopback), 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new Unavailable(`port ${port} is in use: choose another one with --port`);
  }
  return (server.address() as AddressInfo).port;
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server, 0);
  server.close();
  return port;
}

const projectFolder = fileURLToPath(new URL('../../', import.meta.url)); // prisma.config.ts is there
const prisma = join(dirname(createRequire(import.meta.url).resolve('prisma/package.json')), 'build/index.js');

/** Prisma's command line, at work; it asks nothing of the network but the database. */
function spawnStudio({ url }: Source, port: number): ChildProcess {
  const shown = new URL(url);
  shown.password = ''; // everybody on this computer sees the arguments of a process
  const password = url.password === '' ? {} : { PGPASSWORD: decodeURIComponent(url.password) };
  const args = [prisma, 'studio', '--url', shown.href, '--port', String(port), '--browser', 'none'];
  return spawn(process.execPath, args, {
    cwd: projectFolder,
    // biome-ignore lint/style/noProcessEnv: nothing is read from it, it is handed on
    env: { ...process.env, ...password, CHECKPOINT_DISABLE: '1', PRISMA_HIDE_UPDATE_MESSAGE: '1' },
    detached: true, // Ctrl+C is ours to pass on
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

/** Studio as a process of its own. */
interface Studio {
  /** Resolves once it answers; rejects with what it said when it ends before. */
  readonly ready: Promise<void>;
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

function startStudio(source: Source, port: number): Studio {
  const child = spawnStudio(source, port);
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said = `${said}${chunk}`.slice(-4000);
  });
  child.on('error', (error) => {
    said = error.message;
  });
  let isRunning = true;
  const ended = new Promise<void>((resolved) => {
    child.on('close', () => {
      isRunning = false;
      resolved();
    });
  });
  const answers = () =>
    fetch(`http://${loopback}:${port}/`).then(
      ({ ok }) => ok,
      () => false,
    );
  const ready = (async () => {
    while (!(await answers())) {
      if (!isRunning) throw new Unavailable(`Prisma Studio did not start:\n${said}`);
      await wait(100);
    }
  })();
  process.once('exit', () => child.kill('SIGKILL'));
  const stop = async () => {
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), 2000);
    await ended;
    clearTimeout(timer);
  };
  return { ready, ended, stop };
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
