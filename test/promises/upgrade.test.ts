/** @group slow, long */
import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { lost, newWriter, type RunningLoad, startLoad } from '../../bench/nodes/clients.ts';
import { makeUser } from '../../bench/nodes/users.ts';
import { freePort } from '../../src/embedded/free-port.ts';
import { ask, kill, processSettings, type RunningServer, run, serve } from '../db/processes.ts';
import { newFolder } from '../support/folder.ts';
import { buildCommit, hasCommit } from '../support/old-build.ts';
import { query } from '../support/query.ts';
import { until } from '../support/until.ts';
import { createEveryKind, type EveryKind, lostRows, readEveryKind, rowsOf } from './every-kind.ts';

jest.setTimeout(240_000);

/** The first complete build of 0.2.0, whose database lacks all migrations since. */
const oldCommit = '5e16556d846d10e181e6eb61a780aae53b7c5e4a';

const isKnown = hasCommit(oldCommit);
const testOnOld = isKnown ? test : test.skip;
const title = (text: string): string =>
  isKnown ? text : `SKIPPED, since the history lacks the commit ${oldCommit}: ${text}`;

const old = newFolder();
beforeAll(() => {
  if (isKnown) buildCommit(oldCommit, old);
});

const tokenKey = { TOKEN_KEY: 'the key that all builds share' };

/** The number of responses with status 200 that the load gets between two steps. */
const responses = 40;

/** The columns that change because somebody uses a token or an effective ACL. */
const ignored = ['login_token.last_used_at', 'oauth2_token.last_used_at', 'effective_acl.used_at'];

/** Runs a command of a build. @returns its output */
async function quire(args: string[], settings: Record<string, string>, folder?: string): Promise<string> {
  const { ended, printed } = run('src/cli/quire.ts', settings, args, folder);
  const { code } = await ended;
  expect([args, code, code === 0 ? '' : printed.out + printed.err]).toEqual([args, 0, '']);
  return printed.out;
}

/** Lets the load run. @returns the failures and the outdated reads */
async function faultsDuring(load: RunningLoad, work: () => Promise<unknown>): Promise<string[]> {
  load.reset();
  await work();
  const { failures, old: outdated } = load.seen();
  return [...failures, ...outdated];
}

/** Whether a failure is a 503 or a broken connection of the node at a URL. */
const isOfNode = (failure: string, url: string): boolean =>
  failure.includes(` ${url}/`) && /: (0|503) after /.test(failure);

describe('A database of 0.2.0', () => {
  testOnOld(
    title('is upgraded under load on two nodes without losing anything, and restored from its backup'),
    async () => {
      await using shared = await processSettings();
      const settings: Record<string, string> = { ...shared.settings, ...tokenKey };
      const { DATABASE_URL: database = '' } = settings;
      const ports = [await freePort(), await freePort()] as const;
      const start = (port: number, folder?: string): Promise<RunningServer> =>
        serve({ ...settings, PORT: String(port) }, folder);
      const nodes = [await start(ports[0], old), await start(ports[1], old)];
      await using _ = {
        [Symbol.asyncDispose]: async () => void (await Promise.all(nodes.map((node) => kill(node)))),
      };
      const urls = ports.map((port) => `http://127.0.0.1:${port}`);
      const [first = ''] = urls;
      const kinds: EveryKind = await createEveryKind(first);
      await until(async () => (await query(database, 'SELECT FROM search_change')).length === 0);
      const [shown, rows] = [await readEveryKind(first, kinds), await rowsOf(database)];
      const backup = `${newFolder()}/before.quire`;
      await quire(['backup', backup], settings, old);

      const writers = [await newWriter(first, 'writer0'), await newWriter(first, 'writer1')];
      await makeUser(first, 'reader');
      const load = startLoad(urls, writers, 'reader');
      const analysis = async () => (await query(database, 'SELECT analysis FROM search_state'))[0]?.analysis;
      const oldAnalysis = await analysis();
      try {
        const steadily = () => until(() => (load.seen().statuses.get(200) ?? 0) >= responses);
        await steadily(); // Clients log in.
        expect(await faultsDuring(load, steadily)).toEqual([]);
        for (const [index, port] of ports.entries()) {
          const failures = await faultsDuring(load, async () => {
            nodes[index]?.child.kill('SIGTERM');
            expect(await nodes[index]?.ended).toEqual({ code: 0, signal: null });
            nodes[index] = await start(port);
            await wait(500); // Clients notice that their connections were closed.
          });
          expect(failures.filter((failure) => !isOfNode(failure, urls[index] ?? ''))).toEqual([]);
          expect(await faultsDuring(load, steadily)).toEqual([]);
          // The index is rebuilt when the old build cannot write to it any more.
          if (index === 0) expect(await analysis()).toBe(oldAnalysis);
        }
        await until(async () => (await analysis()) !== oldAnalysis, 30_000);
      } finally {
        await load.end();
      }
      expect(await lost(urls[1] ?? '', writers)).toEqual([]);
      expect(writers.every(({ titles, uploads }) => titles > 10 && uploads.length > 0)).toBe(true);
      for (const url of urls) expect(await readEveryKind(url, kinds)).toMatchObject(shown);
      expect(lostRows(rows, await rowsOf(database), ignored)).toEqual([]);
      await quire(['check', '--digests'], settings);
      for (const node of nodes) node?.child.kill('SIGTERM');
      await Promise.all(nodes.map((node) => node?.ended));

      await using empty = await processSettings();
      const former: Record<string, string> = { ...empty.settings, ...tokenKey };
      await quire(['restore', backup], former, old);
      await using restored = await serve(former, old);
      expect(await readEveryKind(restored.url, kinds)).toEqual(shown);
      expect(lostRows(rows, await rowsOf(former.DATABASE_URL ?? ''), ignored)).toEqual([]);
    },
  );

  testOnOld(title('stays usable for the old build while a migration waits for a lock or fails'), async () => {
    await using shared = await processSettings();
    const settings: Record<string, string> = { ...shared.settings, ...tokenKey };
    const { DATABASE_URL: database = '' } = settings;
    await using node = await serve(settings, old);
    const applied = () => query(database, 'SELECT count(*)::int FROM _prisma_migrations');
    const before = await applied();
    let count = 0;
    /** Signs in, reads and writes, which needs the tables that migrations change. */
    const use = async (): Promise<void> => {
      count += 1;
      const id = `user-${count}`;
      const properties = { username: id, password: 'Secret-of-ann-1' };
      const body = JSON.stringify({ 'entity-type': 'user', id, properties });
      expect((await ask(node.url, '/api/v1/user', { method: 'POST', body })).status).toBe(201);
      const authorization = `Basic ${Buffer.from(`${id}:${properties.password}`).toString('base64')}`;
      const me = await ask(node.url, '/api/v1/me', { headers: { Authorization: authorization } });
      expect(me.status).toBe(200);
    };

    await query(database, 'CREATE TABLE share_link (name TEXT)');
    const failed = run('src/serve.ts', { PORT: '0', ...settings });
    expect(await failed.ended).toEqual({ code: 1, signal: null });
    expect(failed.printed.err).toContain('share_link');
    expect(await applied()).toEqual(before);
    await use();
    await query(database, 'DROP TABLE share_link');

    const reader = new pg.Client({ connectionString: database });
    await reader.connect();
    await reader.query('BEGIN; SELECT FROM "user"');
    const waiting = run('src/serve.ts', { PORT: '0', ...settings });
    try {
      await until(() => waiting.printed.err.includes('The migration is waiting'));
      for (const end = performance.now() + 6_000; performance.now() < end; ) await use();
      expect(count).toBeGreaterThan(3);
      expect(await applied()).toEqual(before);
      await reader.end();
      await until(() => waiting.printed.out.includes('Quire serves'));
      expect(await applied()).not.toEqual(before);
      await use();
    } finally {
      waiting.child.kill('SIGKILL');
      await waiting.ended;
    }
  });
});
