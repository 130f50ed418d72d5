/** @group slow */
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { startPrimary } from '../support/cluster.ts';
import { newFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';
import { ask, type RunningServer, serve } from './processes.ts';

jest.setTimeout(240_000);

let primary: Awaited<ReturnType<typeof startPrimary>>;
let server: RunningServer;
beforeAll(async () => {
  primary = await startPrimary();
  server = await serve({
    DATA_DIR: newFolder(),
    DATABASE_URL: primary.url,
    DATABASE_CONNECTIONS: '3',
    TRANSACTION_TIMEOUT: '2',
  });
});
afterAll(async () => {
  await setStandby('');
  await server[Symbol.asyncDispose]();
  await primary[Symbol.asyncDispose]();
});

async function setStandby(name: string): Promise<void> {
  await primary.query(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
  await primary.query('SELECT pg_reload_conf()');
  await until(async () => {
    const [row] = await primary.query('SHOW synchronous_standby_names');
    return row?.synchronous_standby_names === name;
  });
}

const create = (name: string): Promise<Response> =>
  ask(server.url, '/api/v1/path/', {
    method: 'POST',
    body: JSON.stringify({ 'entity-type': 'document', type: 'Folder', name }),
  });

const read = async (name: string): Promise<number> => (await ask(server.url, `/api/v1/path/${name}`)).status;

/** The number of sessions that wait for the standby. */
const waiting = async (): Promise<number> => {
  const [row] = await primary.query(
    `SELECT count(*)::int AS count FROM pg_stat_activity WHERE wait_event = 'SyncRep'`,
  );
  return row?.count as number;
};

/** Sends more writes than there are connections. @returns the name of one that may or may not have been done */
async function uncertainWrite(): Promise<string> {
  const messages: string[] = [];
  // A write that got no connection in time, or that a busy machine did not begin to commit in time, was not done.
  for (let round = 0; round < 5; round += 1) {
    const names = ['one', 'two', 'three', 'four'].map((name) => `${name}-${round}`);
    const answers = await Promise.all(names.map(create));
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503]);
    for (const [index, answer] of answers.entries()) {
      const { message } = (await answer.json()) as { message: string };
      if (/The write may or may not have taken effect/.test(message)) return names[index] ?? '';
      messages.push(message);
    }
  }
  throw new Error(`No write waited for the standby: ${messages.join(' ')}`);
}

describe('§8 a synchronous standby that is away', () => {
  test('answers a write with 503 in time, says that it may have been done, and leaves connections for others', async () => {
    expect((await create('before')).status).toBe(201);
    await setStandby('nowhere');
    const uncertain = await uncertainWrite();
    expect(await waiting()).toBeGreaterThan(0);
    expect([await read('before'), await read(uncertain)]).toEqual([200, 404]);
    await setStandby('');
    await until(async () => (await create('after')).status === 201);
    // PostgreSQL had written the change and held its locks while it waited.
    await until(async () => (await read(uncertain)) === 200);
  });
});
