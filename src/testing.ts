/**
 * Starts servers for the tests of extensions. This is the entry point `quire-server/testing`. It imports nothing from
 * the server, which runs in a separate process.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('./serve.js', import.meta.url));

/** A server for a test. `await using server = await startServer(…)` stops it at the end of the block. */
export interface TestedServer extends AsyncDisposable {
  /** Such as `http://localhost:40123`. */
  readonly url: string;
  /** Returns the output that the server has printed so far, which is its log as JSON lines. */
  readonly log: () => string;
  /**
   * Sends a request as the administrator or, if `init.login` is set, as another user.
   * @param path a path relative to `/api/v1`, such as `/path/default-domain`
   * @param init `json` is sent as the body, with the method POST unless another is specified; `login` is
   * `USER:PASSWORD`
   */
  readonly api: (
    path: string,
    init?: Omit<RequestInit, 'headers'> & {
      readonly headers?: Readonly<Record<string, string>>;
      readonly json?: unknown;
      readonly login?: string;
    },
  ) => Promise<{ readonly status: number; readonly body: unknown }>;
  /** Stops the server and deletes its data. */
  readonly stop: () => Promise<void>;
}

const administrator = 'Administrator:Administrator';

const parsed = (text: string): unknown => {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return text;
  }
};

function requestsTo(url: string): TestedServer['api'] {
  return async (path, { json, login = administrator, headers, ...init } = {}) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method: json === undefined ? 'GET' : 'POST',
      ...(json !== undefined && { body: JSON.stringify(json) }),
      ...init,
      headers: {
        Authorization: `Basic ${Buffer.from(login).toString('base64')}`,
        ...(json !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
    });
    return { status: response.status, body: parsed(await response.text()) };
  };
}

/**
 * Starts a server on a free port and prints the errors that it logs to stderr. The server has an empty embedded database and a new data folder.
 * @param extensions names of packages, or paths of files
 * @param settings further environment variables, such as DATABASE_URL to use another empty database
 * @throws Error with the output of the server if it does not start
 */
export async function startServer(
  extensions: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<TestedServer> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-test-'));
  const { PATH, HOME, TMPDIR } = process.env;
  const inherited = Object.fromEntries(
    Object.entries({ PATH, HOME, TMPDIR }).filter(([, value]) => value !== undefined),
  );
  const child = spawn(process.execPath, [program], {
    env: { ...inherited, PORT: '0', DATA_DIR: folder, EXTENSIONS: extensions.join(','), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const ended = once(child, 'close');
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  const url = await new Promise<string | undefined>((resolve) => {
    const read = (chunk: Buffer): void => {
      printed += chunk.toString();
      const found = /Quire serves (http\S+)/.exec(printed)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on('data', read);
    // A test that gets a 500 otherwise does not show the reason.
    createInterface(child.stdout).on('line', (line) => {
      if (/^\{"level":[56]0,/.test(line)) process.stderr.write(`${line}\n`);
    });
    child.stderr.on('data', read);
    void ended.then(() => resolve(undefined));
  });
  if (url === undefined) {
    await stop();
    throw new Error(`The server did not start.\n${printed}`);
  }
  return { url, log: () => printed, api: requestsTo(url), stop, [Symbol.asyncDispose]: stop };
}
