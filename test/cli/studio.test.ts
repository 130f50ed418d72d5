/** @group slow */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { freePort } from '../../src/embedded/free-port.ts';
import { ask, kill, programArguments, type Running, type RunningServer, serve } from '../db/processes.ts';
import { chromiumPath, launchBrowser } from '../support/browser.ts';
import { stockedDatabase } from '../support/database.ts';
import { newFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';
import { quire } from './run-quire.ts';

const dataDir = newFolder();

/** Starts Studio and waits for its output or its end. */
async function studio(
  settings: Record<string, string>,
  ...options: string[]
): Promise<Running & { port: number }> {
  const port = await freePort();
  const child: ChildProcess = spawn(
    process.execPath,
    [...programArguments('src/cli/quire.ts'), 'studio', '--port', `${port}`, ...options],
    {
      env: { PATH: process.env.PATH, HOME: dataDir, ...settings },
      cwd: dataDir,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const printed = { out: '', err: '' };
  child.stdout?.on('data', (chunk: Buffer) => {
    printed.out += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    printed.err += chunk.toString();
  });
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }));
  while (child.exitCode === null && !printed.out.includes('Ctrl+C')) {
    await Promise.race([ended, once(child.stdout ?? child, 'data')]);
  }
  return { child, printed, ended, port };
}

/** Sends SQL as Studio's page does. */
function sendSql(port: number, sql: string): Promise<Response> {
  const body = JSON.stringify({ procedure: 'query', query: { sql, parameters: [] } });
  const origin = `http://localhost:${port}`;
  return fetch(`${origin}/bff`, { method: 'POST', body, headers: { origin } });
}

/** Runs SQL as Studio's page does: an error, and the rows. */
const select = async (port: number, sql: string): Promise<unknown> => (await sendSql(port, sql)).json();

/** Returns the status of the answer to a request with these headers. */
const statusOf = (port: number, headers: Record<string, string>): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path: '/', headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .on('error', reject)
      .end();
  });

const roots = "SELECT name FROM document WHERE path = '/default-domain'";

const explanation =
  'Nothing was changed, because Studio is read-only. To change rows, stop it, and start it again with --write.';

/**
 * Changes the name of a directory in Studio's page, in a browser that reaches no other server.
 * @returns the status of the response, and the texts of the dialogs.
 */
async function changeCell(port: number): Promise<{ status: number; shown: string[] }> {
  await using browser = await launchBrowser();
  const page = await browser.newPage();
  const origin = `http://localhost:${port}`;
  await page.route(
    ({ href }) => !href.startsWith(`${origin}/`) && href.startsWith('http'),
    (route) => route.abort(),
  );
  const shown: string[] = [];
  page.on('dialog', (dialog) => {
    shown.push(dialog.message());
    void dialog.accept();
  });
  await page.goto(origin);
  await page.getByText('directory', { exact: true }).click();
  await page.getByText('country', { exact: true }).dblclick();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('changed');
  await page.keyboard.press('Enter');
  await page.getByText('Save 1 row').click();
  const answered = page.waitForResponse((response) => /update /.test(response.request().postData() ?? ''));
  await page.getByText('yes, write to db').click();
  const status = (await answered).status();
  await until(() => status !== 403 || shown.length > 0);
  return { status, shown };
}

async function interrupt({ child, ended }: Running, signal: NodeJS.Signals) {
  child.kill(signal);
  return ended;
}

describe('quire studio on the embedded database', () => {
  let server: RunningServer | undefined;
  beforeAll(async () => {
    server = await serve({ DATA_DIR: dataDir });
  });
  afterAll(async () => server && kill(server));

  test('of a running server is shown, and the server goes on', async () => {
    const shown = await studio({ DATA_DIR: dataDir });
    expect(shown.printed.out).toContain(`the embedded database of ${dataDir}:`);
    expect(shown.printed.out).toContain(`\n  http://localhost:${shown.port}\n`);
    expect(await select(shown.port, roots)).toEqual([null, [{ name: 'default-domain' }]]);
    expect((await ask(server?.url ?? '', '/api/v1/path/default-domain')).status).toBe(200);
    expect(await interrupt(shown, 'SIGINT')).toEqual({ code: 0, signal: null });
    expect((await ask(server?.url ?? '', '/api/v1/path/default-domain')).status).toBe(200);
  });

  test('refuses writes without --write, which the page explains, and makes them with it, without network', async () => {
    const insert = `INSERT INTO directory (name) VALUES ('of-studio') RETURNING name`;
    const names = "SELECT name FROM directory WHERE name IN ('country', 'changed')";
    const reading = await studio({ DATA_DIR: dataDir });
    try {
      expect(reading.printed.out).toContain('Prisma Studio shows, read-only, the embedded database ');
      const refused = await sendSql(reading.port, insert);
      expect(refused.status).toBe(403);
      expect(await refused.text()).toBe(explanation);
      if (chromiumPath) expect(await changeCell(reading.port)).toEqual({ status: 403, shown: [explanation] });
      expect(JSON.stringify(await select(reading.port, 'SELECT 1 / 0'))).toContain('"code":"22012"');
      expect(await select(reading.port, names)).toEqual([null, [{ name: 'country' }]]);
    } finally {
      await interrupt(reading, 'SIGINT');
    }
    const writing = await studio({ DATA_DIR: dataDir }, '--write');
    try {
      expect(writing.printed.out).toContain('Prisma Studio can change the embedded database ');
      expect(await select(writing.port, insert)).toEqual([null, [{ name: 'of-studio' }]]);
      if (!chromiumPath) return;
      expect(await changeCell(writing.port)).toEqual({ status: 200, shown: [] });
      expect(await select(writing.port, names)).toEqual([null, [{ name: 'changed' }]]);
    } finally {
      await interrupt(writing, 'SIGINT');
    }
  });

  test('can start after a server stopped while clients were connected', async () => {
    const address = (await readFile(join(dataDir, 'embedded', 'url'), 'utf8')).trim();
    const client = new pg.Client({ connectionString: address });
    client.on('error', () => {});
    await client.connect();
    await client.query('BEGIN');
    server?.child.kill('SIGTERM');
    expect(await server?.ended).toEqual({ code: 0, signal: null });

    const shown = await studio({ DATA_DIR: dataDir });
    try {
      expect(shown.printed.out).toContain(`the embedded database of ${dataDir}:`);
      expect(await select(shown.port, roots)).toEqual([null, [{ name: 'default-domain' }]]);
      const page = await fetch(`http://localhost:${shown.port}/`);
      expect(await page.text()).toContain('studio.js');
      expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'self'/);
      expect(await statusOf(shown.port, { origin: 'https://evil.example' })).toBe(403);
      expect(await statusOf(shown.port, { host: `evil.example:${shown.port}` })).toBe(403);
      expect(await quire(['migrate'], { DATA_DIR: dataDir })).toMatchObject({ code: 0 });
    } finally {
      expect(await interrupt(shown, 'SIGTERM')).toEqual({ code: 0, signal: null });
    }
    expect(existsSync(join(dataDir, 'lock'))).toBe(false);
    await expect(statusOf(shown.port, {})).rejects.toThrow('ECONNREFUSED');
  });
});

describe('quire studio', () => {
  test('reports a port that is in use, and an invalid one', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const refused = await quire(['studio', '--port', `${port}`], { DATA_DIR: dataDir });
    expect(refused.code).toBe(1);
    expect(refused.err).toBe(`Port ${port} is in use. Choose another one with --port.\n`);
    taken.close();
    const faulty = await quire(['studio', '--port', '65536']);
    expect(faulty.code).toBe(2);
    expect(faulty.err).toContain('must be an integer from 1 to 65535.');
  });

  test.each([
    ['faults of the configuration', { PORT: 'x', BODY_LIMIT: 'y' }, /^PORT: .*\nBODY_LIMIT\b/],
    [
      'a missing database',
      { DATA_DIR: join(dataDir, 'nowhere') },
      /^There is no database in \S+\/nowhere yet\. /,
    ],
    ['a server that does not answer', { DATABASE_URL: 'postgres://a:secret@127.0.0.1:1/b' }, /ECONNREFUSED/],
  ])(
    'reports %s on stderr without a stack, and exits with 1',
    async (_, settings: Record<string, string>, wanted) => {
      const { code, err } = await quire(['studio', '--port', `${await freePort()}`], settings);
      expect(code).toBe(1);
      expect(err).toMatch(wanted);
      expect(err).not.toMatch(/^ {4}at |secret/m);
    },
  );

  test('shows a PostgreSQL server, and never its password', async () => {
    const { url, database } = await stockedDatabase();
    const shown = await studio({ DATABASE_URL: url });
    try {
      expect(await select(shown.port, roots)).toEqual([null, [{ name: 'default-domain' }]]);
      const { password, pathname } = new URL(url);
      const processes = execFileSync('ps', ['-ww', '-eo', 'args'], { encoding: 'utf8' }).split('\n');
      const studios = processes.filter((line) => line.includes(pathname) && line.includes('studio --url'));
      expect(studios).toHaveLength(1);
      expect(studios[0]).not.toContain(`:${password}@`);
    } finally {
      expect(await interrupt(shown, 'SIGINT')).toEqual({ code: 0, signal: null });
      await database.close();
    }
  });
});
