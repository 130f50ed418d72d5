import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Running, type StartOptions, startNode } from './processes.ts';

const program = fileURLToPath(new URL('../dist/serve.js', import.meta.url));

/** Returns the Node options that `npm start` or another script in package.json uses. */
export const nodeOptions = (script = 'start'): string[] => {
  const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return / node (.*)dist\/\S+$/.exec(scripts[script])?.[1]?.split(' ').filter(Boolean) ?? [];
};

/** Returns the connection URL of the embedded database in a DATA_DIR. */
export const embeddedUrl = (dataDir: string): string =>
  readFileSync(join(dataDir, 'embedded', 'url'), 'utf8').trim();

/** The `Authorization` header of the default administrator. */
export const authorization = `Basic ${Buffer.from('Administrator:Administrator').toString('base64')}`;

/**
 * Starts the built server as a user would. Without DATABASE_URL, it uses an embedded database.
 * @param options `onLog` receives the errors that the server logs
 */
export function startOurs(
  settings: {
    DATA_DIR: string;
    DATABASE_URL?: string;
    TRANSACTION_TIMEOUT?: string;
    CONVERTER_FOLDERS?: string;
    WORKERS?: string;
    DATABASE_CONNECTIONS?: string;
    AUTH_CHAIN?: string;
    EXTENSIONS?: string;
    IDENTITY_FILE?: string;
    JWT_SECRET?: string;
  },
  {
    nodeOptions: more = [],
    onLog,
    ...options
  }: StartOptions & { readonly nodeOptions?: readonly string[] } = {},
): Promise<Running> {
  if (!existsSync(program)) throw new Error('dist/serve.js does not exist. Run "npm run build" first.');
  const level = onLog ? 'error' : 'silent';
  return startNode(
    [...nodeOptions(), ...more, program],
    { LOG_LEVEL: level, ...settings },
    { onLog, ...options },
  );
}

/** Rebuilds the search index with the same command that users run. */
export async function reindex(databaseUrl: string): Promise<void> {
  const command = fileURLToPath(new URL('../dist/cli/quire.js', import.meta.url));
  await promisify(execFile)(process.execPath, [command, 'reindex'], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
  });
}

/**
 * How long one request waits for the index, in seconds. Longer waits use several requests, because each has a deadline.
 */
const maxWait = 60;

/**
 * Waits up to the given number of seconds until searches find everything that was written.
 * @returns false if the time ran out
 */
export async function isIndexed(base: string, seconds: number): Promise<boolean> {
  const timeoutSecond = Math.min(seconds, maxWait);
  const response = await fetch(`${base}/automation/Elasticsearch.WaitForIndexing`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ params: { timeoutSecond } }),
  });
  if (response.status !== 200) throw new Error(`waiting for the index: ${response.status}`);
  if ((await response.json()).value === true) return true;
  return seconds > timeoutSecond && isIndexed(base, seconds - timeoutSecond);
}
