import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ask, basic, databaseSettings, kill, type RunningServer, run, serve } from './db/processes.ts';

/** Starting a process, creating a database and loading all of it takes a while on a busy machine. */
const patience = 90_000;

let dataDir: string;
let settings: Record<string, string>;
let drop: () => Promise<void>;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'quire-server-'));
  const database = await databaseSettings();
  settings = { DATA_DIR: dataDir, ...database.settings };
  drop = database.drop;
}, patience);
afterAll(async () => {
  await drop();
  await rm(dataDir, { recursive: true, force: true });
}, patience);

/** Starts the server for the time of some work. */
async function whileServing(
  work: (server: RunningServer) => Promise<void>,
  more: Record<string, string> = {},
): Promise<void> {
  const server = await serve({ ...settings, ...more });
  try {
    await work(server);
  } finally {
    await kill(server);
  }
}

/** Everything that a connection brings until it is closed. */
async function read(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text;
}

describe('The server as a process', () => {
  test(
    'says in one line where it is and how to try it; ready and alive',
    () =>
      whileServing(async ({ url, printed }) => {
        const lines = printed.out.split('\n').filter((line) => line.includes('Quire serves'));
        expect(lines).toHaveLength(1);
        const command = `curl -u Administrator:Administrator ${url}/api/v1/path/default-domain`;
        expect(lines[0]).toContain(`Quire serves ${url} - try: ${command}`);
        expect(url).toMatch(/^http:\/\/localhost:\d+$/);
        expect((await ask(url, '/api/v1/path/default-domain')).status).toBe(200);
        expect((await fetch(`${url}/health/ready`)).status).toBe(200);
        expect((await fetch(`${url}/health/live`)).status).toBe(200);
      }),
    patience,
  );

  test(
    'does not say the password when it is not the stock one',
    () =>
      whileServing(
        async ({ printed }) => {
          expect(printed.out).toContain('try: curl -u Administrator http');
          expect(printed.out + printed.err).not.toContain('Secret-of-mine');
        },
        { ADMIN_PASSWORD: 'Secret-of-mine' },
      ),
    patience,
  );

  test.each(['SIGTERM', 'SIGINT'] as const)(
    'finishes a request under way on %s, turns others away, and exits with 0',
    async (signal) => {
      await whileServing(async ({ url, child, ended }) => {
        const { port } = new URL(url);
        const name = `late-${signal}`;
        const body = JSON.stringify({ 'entity-type': 'document', type: 'Folder', name });
        const head = `POST /api/v1/path/ HTTP/1.1\r\nHost: h\r\nAuthorization: ${basic}\r\nContent-Type: application/json`;
        const socket = connect(Number(port), '127.0.0.1');
        socket.write(`${head}\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`);
        await ask(url, '/api/v1/path/default-domain'); // by now the other request is under way
        const start = performance.now();
        child.kill(signal);
        await refused(Number(port));
        socket.write(body.slice(10));
        expect(await read(socket)).toMatch(/^HTTP\/1\.1 201 /);
        expect(await ended).toEqual({ code: 0, signal: null });
        expect(performance.now() - start).toBeLessThan(8_500); // less than an idle connection would be kept
      });
    },
    patience,
  );

  test(
    'exits within ten seconds although a request never ends',
    () =>
      whileServing(async ({ url, child, ended }) => {
        const socket = connect(Number(new URL(url).port), '127.0.0.1');
        socket.on('error', () => {});
        socket.write('POST /api/v1/path/ HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\n{');
        await ask(url, '/api/v1/path/default-domain');
        const start = performance.now();
        child.kill('SIGTERM');
        expect(await ended).toEqual({ code: 0, signal: null });
        expect(performance.now() - start).toBeLessThan(20_000);
        socket.destroy();
      }),
    patience,
  );

  test(
    'ends at once on a second signal',
    () =>
      whileServing(async ({ url, child, ended, printed }) => {
        const socket = connect(Number(new URL(url).port), '127.0.0.1');
        socket.on('error', () => {});
        socket.write('POST /api/v1/path/ HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\n{');
        await ask(url, '/api/v1/path/default-domain');
        const start = performance.now();
        child.kill('SIGTERM');
        while (!printed.out.includes('stopping')) await once(child.stdout ?? child, 'data');
        child.kill('SIGTERM');
        expect(await ended).toEqual({ code: 1, signal: null });
        expect(performance.now() - start).toBeLessThan(8_500);
        socket.destroy();
      }),
    patience,
  );

  test(
    'keeps documents and blobs from one start to the next',
    async () => {
      const properties = { 'dc:title': 'Kept', 'file:content': { content: 'kept too' } };
      const body = JSON.stringify({ 'entity-type': 'document', type: 'File', name: 'kept', properties });
      await whileServing(async ({ url, child, ended }) => {
        expect((await ask(url, '/api/v1/path/', { method: 'POST', body })).status).toBe(201);
        child.kill('SIGTERM');
        expect(await ended).toEqual({ code: 0, signal: null });
      });
      await whileServing(async ({ url }) => {
        const kept = await ask(url, '/api/v1/path/kept');
        expect(await kept.json()).toMatchObject({ title: 'Kept', path: '/kept' });
        expect(await (await ask(url, '/api/v1/path/kept/@blob')).text()).toBe('kept too');
      });
    },
    patience,
  );
});

/** Resolves once nobody listens on a port; a connection taken in the last moment is reset. */
async function refused(port: number): Promise<void> {
  for (let code: string | undefined; code !== 'ECONNREFUSED'; ) {
    const socket = connect(port, '127.0.0.1');
    code = await new Promise((resolve) => {
      socket.once('connect', () => resolve(undefined));
      socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    });
    socket.destroy();
  }
}

describe('A server that cannot start exits with 1 and says why, without a stack', () => {
  const failing = async (more: Record<string, string>): Promise<string> => {
    const { ended, printed } = run('src/server.ts', { ...settings, PORT: '0', ...more });
    expect(await ended).toEqual({ code: 1, signal: null });
    expect(printed.err).toMatch(/^Quire cannot start:\n/);
    expect(printed.err).not.toMatch(/^ {4}at /m);
    return printed.err;
  };

  test(
    'all faults of the configuration at once',
    async () => {
      const faulty = { PORT: 'x', TRANSACTION_TIMEOUT: '0', LOG_LEVEL: 'loud', CONTEXT_PATH: 'nuxeo/' };
      const said = await failing({ ...faulty, HOST: '0.0.0.0' });
      for (const name of [...Object.keys(faulty), 'ADMIN_PASSWORD']) expect(said).toContain(`${name}: `);
    },
    patience,
  );

  test(
    'the port in use',
    async () => {
      const other = createServer().listen(0, '127.0.0.1');
      await once(other, 'listening');
      const { port } = other.address() as AddressInfo;
      try {
        expect(await failing({ PORT: String(port) })).toContain(`port ${port} of 127.0.0.1 is in use`);
      } finally {
        other.close();
      }
    },
    patience,
  );

  test(
    'a database that does not answer',
    async () => {
      const said = await failing({ DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/nowhere' });
      expect(said).toContain('ECONNREFUSED');
      expect(said).not.toContain('secret');
    },
    patience,
  );

  test(
    'a model that cannot be read',
    async () => {
      expect(await failing({ MODEL_DIR: join(dataDir, 'nowhere') })).toContain(join(dataDir, 'nowhere'));
    },
    patience,
  );

  test(
    'and a start after it works',
    () => whileServing(async ({ url }) => expect((await fetch(`${url}/health/ready`)).status).toBe(200)),
    patience,
  );
});
