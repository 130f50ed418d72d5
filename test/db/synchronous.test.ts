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

describe('§8 a synchronous standby that is away', () => {
  test('answers a write with 503 in time, says that it may have been done, and leaves connections for others', async () => {
    expect((await create('before')).status).toBe(201);
    await setStandby('nowhere');
    // Sends more writes than there are connections.
    const names = ['one', 'two', 'three', 'four'];
    const answers = await Promise.all(names.map(create));
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503]);
    const bodies = await Promise.all(answers.map((answer) => answer.json() as Promise<{ message: string }>));
    // The writes that got no connection in time were certainly not done.
    const uncertain =
      names[bodies.findIndex(({ message }) => /The write may or may not have taken effect/.test(message))];
    if (uncertain === undefined)
      throw new Error(`No write waited for the standby: ${JSON.stringify(bodies)}`);
    expect(await waiting()).toBeGreaterThan(0);
    expect([await read('before'), await read(uncertain)]).toEqual([200, 404]);
    await setStandby('');
    await until(async () => (await create('after')).status === 201);
    // PostgreSQL had written the change and held its locks while it waited.
    await until(async () => (await read(uncertain)) === 200);
  });
});
