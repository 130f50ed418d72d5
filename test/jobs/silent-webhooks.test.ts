import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { startJobs } from '../../src/jobs/index.ts';
import { createDocument } from '../support/documents.ts';
import { withSettings } from '../support/jobs.ts';
import { useServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const server = useServer({ WEBHOOK_PRIVATE_ADDRESSES: '127.0.0.1' });
const count = 16;

let opened: Server[] = [];
let stop: (() => Promise<void>) | undefined;

beforeEach(async () => {
  opened = [];
  stop = undefined;
  await server.database.prisma.webhook.deleteMany();
  await server.database.prisma.job.deleteMany();
});
afterEach(async () => {
  await stop?.();
  for (const http of opened) {
    http.closeAllConnections();
    http.close();
  }
});

/** A webhook that answers with a status, or never. @returns the documents of which it was told. */
async function webhook(status?: number): Promise<string[]> {
  const told: string[] = [];
  const http = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    request.on('end', () => {
      told.push(JSON.parse(text).data.document.uid);
      if (status !== undefined) response.writeHead(status).end();
    });
  }).listen(0, '127.0.0.1');
  opened.push(http);
  await once(http, 'listening');
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const given = { 'entity-type': 'webhook', url, events: ['documentCreated'] };
  await server.request.post('/api/v1/management/webhooks').send(given).expect(201);
  return told;
}

async function created(): Promise<string[]> {
  const uids: string[] = [];
  for (let index = 0; index < count; index += 1) uids.push((await createDocument(server)).uid);
  return uids;
}

async function working(): Promise<void> {
  const options = { interval: 50, onDone: () => {}, onError: () => {} };
  stop = await startJobs(withSettings(server, { WEBHOOK_PRIVATE_ADDRESSES: ['127.0.0.0/8'] }), options);
}

describe('a webhook', () => {
  test('that is silent has two deliveries under way, and the others are called meanwhile', async () => {
    const silent = await webhook();
    const heard = await webhook(204);
    const uids = await created();
    await working();
    await until(() => heard.length === count, 9_000); // sooner than a request to the silent one ends
    expect(heard.toSorted()).toEqual(uids.toSorted());
    expect(silent.length).toBeGreaterThan(0);
    expect(silent.length).toBeLessThanOrEqual(2);
  });

  test('that fails is called about nothing else before the next attempt', async () => {
    const failing = await webhook(500);
    const heard = await webhook(204);
    await created();
    await working();
    await until(() => heard.length === count);
    const before = failing.length;
    expect(before).toBeLessThanOrEqual(2);
    const { job } = server.database.prisma;
    const failed = { kind: 'send-webhook', error: 'the endpoint responded with status 500' };
    await until(async () => (await job.count({ where: failed })) === before);
    await job.updateMany({ where: failed, data: { runAt: new Date(Date.now() + 3_600_000) } });
    await created();
    await until(() => heard.length === 2 * count);
    expect(failing).toHaveLength(before);
    expect(await job.count({ where: failed })).toBe(before);
  });
});
