/** @group slow */
import { once } from 'node:events';
import { type ClientRequest, request as send } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { call } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { password, useUser, useUsers } from '../../support/users.ts';

const connections = 6;
const server = useServer({ DATABASE_CONNECTIONS: String(connections) });
const ann = useUser(server, 'ann');
const bob = useUser(server, 'bob');
useUsers(server, 'carl');

beforeAll(async () => {
  const { prisma } = server.database;
  await prisma.$executeRawUnsafe('CREATE SEQUENCE slow_searches');
  // A search for a source that is a number takes this number of milliseconds. It calls the function twice, for the count
  // and for the page.
  await prisma.$executeRawUnsafe(`CREATE OR REPLACE FUNCTION search_keys("name" text, "kind" text, "values" text[])
    RETURNS bigint[] LANGUAGE plpgsql IMMUTABLE AS $$
    BEGIN
      PERFORM nextval('slow_searches'), pg_sleep("values"[1]::int / 2000.0);
      RETURN '{}'::bigint[];
    END $$`);
});

const query = (milliseconds: number) => ({
  query: `SELECT * FROM Document WHERE dc:source = '${milliseconds}'`,
});
const search = (requests: typeof ann, milliseconds: number, headers: Record<string, string> = {}) =>
  requests.get('/api/v1/search/execute').query(query(milliseconds)).set(headers);

const counted = async (): Promise<number> => {
  const sql = 'SELECT last_value::int AS n FROM slow_searches';
  const [row] = await server.database.query<{ n: number }>({ name: '', text: sql }, []);
  return row?.n ?? 0;
};

const running = async (): Promise<number> => {
  const sql = `SELECT count(*)::int AS n FROM pg_stat_activity
    WHERE datname = current_database() AND state = 'active' AND query LIKE '%search_keys%'`;
  const [row] = await server.database.query<{ n: number }>(
    { name: '', text: `${sql} AND pid <> pg_backend_pid()` },
    [],
  );
  return row?.n ?? 0;
};

/** The most searches that run at a time while some work is done. */
async function mostWhile(work: Promise<unknown>): Promise<number> {
  let [most, isOver] = [0, false];
  const end = () => {
    isOver = true;
  };
  work.then(end, end);
  while (!isOver) {
    most = Math.max(most, await running());
    await wait(10);
  }
  return most;
}

const statusesOf = async (sent: ReadonlyArray<PromiseLike<{ status: number }>>): Promise<number[]> =>
  (await Promise.all(sent)).map(({ status }) => status);

const metric = async (name: string): Promise<number> => {
  const { text } = await server.request.get('/metrics').expect(200);
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
};

describe('§4.7 searches', () => {
  afterEach(() => until(async () => (await running()) === 0));

  test('of one user run two at a time, and others wait for their turn', async () => {
    const sent = Array.from({ length: 6 }, () => search(ann, 500).expect(200));
    expect(await mostWhile(Promise.all(sent))).toBe(2);
    expect(await metric('search_wait_seconds_count')).toBeGreaterThan(0);
  });

  test('of one user leave searches and reads of others to go on', async () => {
    let answered = 0;
    const slow = Array.from({ length: 4 }, async () => {
      await search(ann, 3_000).expect(200);
      answered += 1;
    });
    await until(async () => (await running()) === 2);
    await search(bob, 1).expect(200);
    await bob.get('/api/v1/me').expect(200);
    await server.anonymous.get('/health/live').expect(200);
    expect(answered).toBe(0);
    await Promise.all(slow);
  });

  test('of all users take half of the connections', async () => {
    const sent = [ann, bob, server.request].flatMap((user) => [search(user, 800), search(user, 800)]);
    const answers = statusesOf(sent);
    expect(await mostWhile(answers)).toBe(connections / 2);
    expect(await answers).toEqual(Array(6).fill(200));
  });

  test('of one user beyond those that may wait answer 503 at once', async () => {
    const before = await metric('searches_refused_total');
    const slow = statusesOf([search(ann, 4_000), search(ann, 4_000)]);
    await until(async () => (await running()) === 2);
    const answers = await Promise.all(Array.from({ length: 3 * connections + 5 }, () => search(ann, 1)));
    const refused = answers.filter(({ status }) => status === 503);
    expect(refused.map(({ body }) => body.message)).toEqual(
      Array(5).fill('Too many searches are running. Try again soon.'),
    );
    expect(refused[0]?.headers['retry-after']).toBe('5');
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3 * connections);
    expect((await metric('searches_refused_total')) - before).toBe(5);
    expect(await slow).toEqual([200, 200]);
  });

  test('with a time limit end with 503, whether they run or wait', async () => {
    const headers = { 'Svc-Transaction-Timeout': '1' };
    const start = performance.now();
    const statuses = await statusesOf(Array.from({ length: 5 }, () => search(ann, 30_000, headers)));
    expect(statuses).toEqual(Array(5).fill(503));
    expect(performance.now() - start).toBeLessThan(25_000); // none ran for its 30 s
  });

  test('of an execution wait for as long as its transaction may last', async () => {
    const slow = statusesOf([search(ann, 11_000), search(ann, 11_000)]);
    await until(async () => (await running()) === 2);
    const { headers } = await call(ann, 'Repository.Query/@async', { params: query(1) }).expect(202);
    const { pathname } = new URL(headers.location ?? '');
    await until(async () => (await ann.get(pathname)).status === 303);
    await ann.get(pathname.replace(/\/status$/, '')).expect(200);
    expect(await slow).toEqual([200, 200]);
  });

  test('of a client that has left are not run', async () => {
    const port = await server.listen();
    const before = await counted();
    const begin = (): ClientRequest => {
      const auth = `carl:${password}`;
      const path = `/api/v1/search/execute?${new URLSearchParams(query(2_000))}`;
      const sent = send({ port, auth, path, agent: false }).end();
      sent.on('error', () => {}); // it is cut off
      return sent;
    };
    const first = [begin(), begin()];
    await until(async () => (await running()) === 2);
    const waiting = [begin(), begin(), begin()];
    await wait(500);
    for (const request of waiting) request.destroy();
    await Promise.all(first.map((request) => once(request, 'response')));
    await wait(100);
    expect(await counted()).toBe(before + 2 * first.length);
  });
});

test('§4.7 a search that need not wait does not', async () => {
  const { body } = await server.request
    .get('/api/v1/search/execute')
    .query({ query: 'SELECT * FROM Domain' })
    .expect(200);
  expect(body.resultsCount).toBe(1);
});
