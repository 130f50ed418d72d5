/** @group slow */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { lockSearchIndex } from '../../../src/store/row-locks/advisory-locks.ts';
import { createBinary } from '../../rest/blobs/blob-requests.ts';
import { createDocument } from '../../support/documents.ts';
import { runJobs } from '../../support/jobs.ts';
import { call } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { settledFiles } from '../../support/settled.ts';
import { useUser } from '../../support/users.ts';

const server = useServer();
const bob = useUser(server, 'bob', ['members']);

const operation = 'Elasticsearch.WaitForIndexing';

/** What a wait answers, and the milliseconds that it took. */
async function waited(params: Record<string, unknown>, headers: Record<string, string> = {}, request = bob) {
  const began = performance.now();
  const { body } = await call(request, operation, { params }).set(headers).expect(200);
  expect(body['entity-type']).toBe('boolean');
  return { value: body.value as boolean, took: performance.now() - began };
}

const found = async (word: string): Promise<number> => {
  const query = `SELECT * FROM Document WHERE ecm:fulltext = '${word}'`;
  const { body } = await server.request.get('/api/v1/search/lang/NXQL/execute').query({ query }).expect(200);
  return body.resultsCount;
};

/** Runs jobs as long as the work lasts. */
async function withJobs<T>(work: () => Promise<T>): Promise<T> {
  const stop = await runJobs(server);
  try {
    return await work();
  } finally {
    await stop();
  }
}

beforeEach(() => withJobs(() => settledFiles(server)));

describe('Elasticsearch.WaitForIndexing', () => {
  test('answers true once all is indexed', async () => {
    await createDocument(server);
    expect((await waited({ timeoutSecond: 60, refresh: true, waitForAudit: true })).value).toBe(true);
    expect((await waited({})).value).toBe(true);
  });

  test('answers false when a file is not read, but only after the time that was asked for', async () => {
    await createBinary(server, Buffer.from('guillemot'), { mimeType: 'text/plain' });
    const { value, took } = await waited({ timeoutSecond: 2 });
    expect(value).toBe(false);
    expect(took).toBeGreaterThan(1_990);
    expect((await waited({ timeoutSecond: 0 })).value).toBe(false);
    expect(await found('guillemot')).toBe(0);
  });

  test('waits for files that are read meanwhile', async () => {
    await createBinary(server, Buffer.from('razorbill'), { mimeType: 'text/plain' });
    const waiting = waited({});
    await waited({ timeoutSecond: 1 });
    expect((await withJobs(() => waiting)).value).toBe(true);
    expect(await found('razorbill')).toBe(1);
  });

  test('waits longer for the index than a search does', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let began = () => {};
    const isHeld = new Promise<void>((resolve) => {
      began = resolve;
    });
    const held = server.database.transaction(60, async (client) => {
      await lockSearchIndex(client);
      began();
      await released;
    });
    await isHeld;
    await createDocument(server);
    const long = waited({});
    const short = await waited({ timeoutSecond: 2 });
    expect(short.value).toBe(false);
    expect(short.took).toBeGreaterThan(1_990);
    release();
    await held;
    expect((await long).value).toBe(true);
  });

  test('waits no longer than the request may last', async () => {
    await createBinary(server, Buffer.from('puffin'), { mimeType: 'text/plain' });
    const { value, took } = await waited({ timeoutSecond: 600 }, { 'Svc-Transaction-Timeout': '3' });
    expect(value).toBe(false);
    expect(took).toBeGreaterThan(2_000);
  });

  test("waits for the caller's bulk actions, unless a parameter says otherwise", async () => {
    const { bulkCommand } = server.database.prisma;
    const command = { repository: 'default', action: 'trash', parameters: {}, query: {} };
    const { id } = await bulkCommand.create({
      data: { ...command, id: randomUUID(), username: 'Administrator' }, // that no process takes
    });
    const own = (params: Record<string, unknown>) => waited(params, {}, server.request);
    expect((await own({ timeoutSecond: 1 })).value).toBe(false);
    expect((await own({ timeoutSecond: 1, waitForBulkService: false })).value).toBe(true);
    expect((await waited({ timeoutSecond: 1 })).value).toBe(true);
    const waiting = own({});
    await own({ timeoutSecond: 1 });
    await bulkCommand.update({ where: { id }, data: { state: 'COMPLETED' } });
    expect((await waiting).value).toBe(true);
  });

  test('needs nothing but credentials', async () => {
    await server.anonymous.post(`/api/v1/automation/${operation}`).send({}).expect(401);
  });

  test('refuses parameters of another type', async () => {
    await call(bob, operation, { params: { timeoutSecond: 'soon' } }).expect(400);
  });
});
