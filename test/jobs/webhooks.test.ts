import { createHmac } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { startJobs } from '../../src/jobs/index.ts';
import { atId, createDocument, documentBody } from '../support/documents.ts';
import { withSettings } from '../support/jobs.ts';
import { askGraphql } from '../support/requests.ts';
import { useServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { untilWaiting } from '../support/until-waiting.ts';

const server = useServer({ WEBHOOK_PRIVATE_ADDRESSES: '127.0.0.0/8' });
const at = '/api/v1/management/webhooks';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: { readonly type: string; readonly data: { document: Record<string, unknown> | null } };
}

let received: Received[] = [];
let closes: Array<() => Promise<void> | void> = [];

beforeEach(async () => {
  received = [];
  closes = [];
  await server.database.prisma.webhook.deleteMany();
  await server.database.prisma.job.deleteMany();
});
afterEach(async () => {
  for (const close of closes.reverse()) await close();
});

type Answer = (response: ServerResponse, path: string) => void;

const ok: Answer = (response) => void response.writeHead(204).end();

/** An endpoint; its address. */
async function endpoint(answer: Answer = ok): Promise<string> {
  const http = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    request.on('end', () => {
      received.push({ headers: request.headers, text, body: JSON.parse(text) });
      answer(response, request.url ?? '');
    });
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  closes.push(() => {
    http.closeAllConnections();
    http.close();
  });
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}

async function working(WEBHOOK_PRIVATE_ADDRESSES: string[] = ['127.0.0.0/8']): Promise<() => Promise<void>> {
  const options = { interval: 50, onDone: () => {}, onError: () => {} };
  const stop = await startJobs(withSettings(server, { WEBHOOK_PRIVATE_ADDRESSES }), options);
  closes.push(stop);
  return stop;
}

async function webhook(url: string, fields: Record<string, unknown> = {}) {
  const given = { 'entity-type': 'webhook', url, events: ['documentCreated'], ...fields };
  return (await server.request.post(at).send(given).expect(201)).body;
}

const shown = async () => (await server.request.get(at)).body.entries;
const deliveries = () =>
  server.database.prisma.job.findMany({ where: { kind: 'send-webhook' }, orderBy: { id: 'asc' } });
const dueNow = () => server.database.prisma.job.updateMany({ data: { runAt: new Date(0) } });
const titles = (uid: string, ...names: readonly string[]) =>
  names.reduce(
    (before, title) =>
      before.then(async () => {
        const properties = { 'dc:title': title };
        await server.request.put(atId(uid)).send(documentBody({ uid, properties })).expect(200);
      }),
    Promise.resolve(),
  );

describe('webhooks', () => {
  test('are called after the event, signed', async () => {
    const { secret } = await webhook(await endpoint());
    await working();
    const { uid, path } = await createDocument(server, { type: 'File' });
    await until(() => received.length === 1);
    const [{ headers, text, body } = {} as Received] = received;
    expect(body).toMatchObject({
      type: 'documentCreated',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: {
        repository: 'default',
        principal: 'Administrator',
        document: { uid, path, type: 'File', state: 'project' },
      },
    });
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`;
    const key = Buffer.from(secret.slice(6), 'base64');
    const signature = createHmac('sha256', key).update(signed).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${signature}`);
    await until(async () => (await deliveries()).length === 0);
  });

  test('are called for their events, types and paths alone', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    await webhook(await endpoint(), { types: ['File'], path: folder.path });
    await createDocument(server, { type: 'File' });
    await createDocument(server, { type: 'Note', parent: folder.path });
    const file = await createDocument(server, { type: 'File', parent: folder.path });
    await titles(file.uid, 'changed');
    expect((await deliveries()).map(({ payload }) => payload)).toMatchObject([
      { type: 'documentCreated', data: { document: { uid: file.uid } } },
    ]);
  });

  test.each(['/', '//'])('are called for the document at a path that ends with %j, too', async (end) => {
    const folder = await createDocument(server, { type: 'Folder' });
    const { id, path } = await webhook(await endpoint(), { events: [], path: `${folder.path}${end}` });
    expect(path).toBe(folder.path);
    await createDocument(server, { type: 'Folder' });
    await titles(folder.uid, 'changed');
    const documents = (await deliveries()).map(({ payload }) => (payload as Received['body']).data.document);
    expect(documents).toMatchObject([{ uid: folder.uid }]);
    const change = { 'entity-type': 'webhook', path: end };
    expect((await server.request.put(`${at}/${id}`).send(change).expect(200)).body.path).toBe('/');
  });

  test('are not called for what is rolled back', async () => {
    await webhook(await endpoint());
    const body = documentBody({ type: 'File', name: 'a', properties: { 'no:such': 1 } });
    await server.request.post('/api/v1/path/default-domain').send(body).expect(400);
    expect(await deliveries()).toEqual([]);
  });

  test('are called in order for each document, with what failed first', async () => {
    let isAway = true;
    const url = await endpoint((response) => void response.writeHead(isAway ? 503 : 200).end());
    await webhook(url, { events: ['documentModified'] });
    const { uid } = await createDocument(server);
    await titles(uid, 'a', 'b', 'c');
    const wanted = (await deliveries()).map(({ payload }) => (payload as { message: string }).message);
    expect(wanted).toHaveLength(3);
    await working();
    await until(async () => (await deliveries())[0]?.error === 'the endpoint responded with status 503');
    expect((await deliveries()).map(({ attempts }) => attempts)).toEqual([1, 0, 0]);
    isAway = false;
    await dueNow();
    await until(async () => (await deliveries()).length === 0);
    const ids = received.map(({ headers }) => headers['webhook-id']);
    expect(ids).toEqual([wanted[0], ...wanted]);
  });

  test('that failed for a day are switched off and say so, and get everything once they are on', async () => {
    let isAway = true;
    const url = await endpoint((response) => void response.writeHead(isAway ? 500 : 200).end());
    const { id } = await webhook(url, { events: ['documentModified'] });
    const { uid } = await createDocument(server);
    await titles(uid, 'a', 'b');
    await server.database.prisma.job.updateMany({ data: { attempts: 9 } });
    await working();
    await until(async () => (await deliveries()).every(({ state }) => state === 'set-aside'));
    expect(await shown()).toMatchObject([
      { enabled: false, error: 'the endpoint responded with status 500', disabledAt: expect.any(String) },
    ]);
    await titles(uid, 'c');
    expect(await deliveries()).toHaveLength(2);
    isAway = false;
    await server.request.put(`${at}/${id}`).send({ 'entity-type': 'webhook', enabled: true }).expect(200);
    await until(async () => (await deliveries()).length === 0);
    expect(received).toHaveLength(3);
    expect(await shown()).toMatchObject([{ enabled: true, error: null, disabledAt: null }]);
  });

  test('that are gone are switched off at once', async () => {
    await webhook(await endpoint((response) => void response.writeHead(410).end()));
    await working();
    await createDocument(server);
    await until(async () => (await shown())[0]?.enabled === false);
    expect(await shown()).toMatchObject([{ error: 'the endpoint responded with status 410' }]);
  });

  test.each([
    '127.0.0.1',
    'localhost',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '2130706433',
    '10.0.0.1',
    '169.254.1.1',
  ])('are never called at %s, unless the setting names it', async (host) => {
    const { port } = new URL(await endpoint());
    await working([]);
    await webhook('https://example.org');
    // A webhook of an older setting, or with a name that resolves to another address than before.
    await server.database.prisma.webhook.updateMany({ data: { url: `http://${host}:${port}/` } });
    await createDocument(server);
    await until(async () => (await shown())[0]?.enabled === false);
    expect(await shown()).toMatchObject([{ error: expect.stringContaining('WEBHOOK_PRIVATE_ADDRESSES') }]);
    expect(received).toEqual([]);
  });

  test('follow redirects that keep the body, but not to private addresses', async () => {
    const url = await endpoint((response, path) => {
      const to = { '/a': '/b', '/private': 'http://10.1.1.1/', '/weak': 'file:///etc/passwd' }[path];
      response.writeHead(to ? 307 : 200, to ? { Location: to } : {}).end();
    });
    await working();
    await webhook(`${url}/a`);
    await createDocument(server);
    await until(() => received.length === 2);
    expect(received[0]?.text).toBe(received[1]?.text);
    await server.database.prisma.webhook.updateMany({ data: { url: `${url}/private` } });
    await createDocument(server);
    await until(async () => (await shown())[0]?.enabled === false);
    expect(await shown()).toMatchObject([
      { error: expect.stringContaining('10.1.1.1 is not a public address') },
    ]);
  });

  test('give back what they are at when the server stops', async () => {
    await webhook(await endpoint(() => {}));
    const stop = await working();
    await createDocument(server);
    await until(() => received.length === 1);
    await stop();
    expect(await deliveries()).toMatchObject([{ state: 'waiting', attempts: 0 }]);
  });
});

const isTriggerOn = async () => {
  const query = { name: '', text: "SELECT tgenabled FROM pg_trigger WHERE tgname = 'log_entry_webhooks'" };
  const [row] = await server.database.query<{ tgenabled: string }>(query, []);
  return row?.tgenabled === 'O';
};

/** Holds what a transaction that writes log entries holds, until the function that is returned is called. */
async function writing(): Promise<() => Promise<void>> {
  const events = new EventEmitter();
  const begun = once(events, 'begun');
  const ended = server.database.transaction(120, async (client) => {
    await client.query({ name: '', text: 'LOCK TABLE log_entry IN ROW EXCLUSIVE MODE' }, []);
    const released = once(events, 'released');
    events.emit('begun');
    await released;
  });
  const release = () => {
    events.emit('released');
    return ended;
  };
  closes.push(release);
  await begun;
  return release;
}

describe('the trigger of deliveries', () => {
  test.each([
    ['is deleted', (id: string) => server.request.delete(`${at}/${id}`).expect(204)],
    [
      'is disabled',
      (id: string) =>
        server.request.put(`${at}/${id}`).send({ 'entity-type': 'webhook', enabled: false }).expect(200),
    ],
    ['is switched off', () => createDocument(server)],
  ])('is off soon after the last webhook %s', async (_, end) => {
    const { id } = await webhook(await endpoint((response) => void response.writeHead(410).end()));
    await working();
    expect(await isTriggerOn()).toBe(true);
    await end(id);
    await until(async () => !(await isTriggerOn()));
  });

  test('is turned after a start, which waits for no transaction', async () => {
    await webhook(await endpoint());
    await server.database.prisma.webhook.deleteMany();
    const release = await writing();
    await working();
    expect(await isTriggerOn()).toBe(true);
    await release();
    await until(async () => {
      await dueNow();
      return !(await isTriggerOn());
    });
  });

  test('is on for a webhook that is created while it is being turned off', async () => {
    await webhook(await endpoint());
    await server.database.prisma.webhook.deleteMany();
    const release = await writing();
    const stop = await working();
    await untilWaiting(server.database, 1);
    await webhook(await endpoint());
    await release();
    await stop();
    expect(await isTriggerOn()).toBe(true);
    await working();
    await createDocument(server);
    await until(() => received.length === 1);
  });
});

describe('the deliveries of a webhook', () => {
  interface Attempt {
    readonly message: string;
    readonly type: string;
    readonly error: string | null;
  }

  const attempts = async () => {
    const fields = 'deliveries { message type took error }';
    const { webhooks } = await askGraphql<{ webhooks: { entries: Array<{ deliveries: Attempt[] }> } }>(
      server.request,
      `{ webhooks { entries { ${fields} } } }`,
    );
    return webhooks.entries[0]?.deliveries ?? [];
  };
  const sendTest = async (id: string) => {
    const mutation = 'mutation ($id: ID!) { testWebhook(id: $id) }';
    return (await askGraphql<{ testWebhook: string }>(server.request, mutation, { id })).testWebhook;
  };

  test('list the last twenty attempts, newest first, with the reasons of failures', async () => {
    let status = 503;
    await webhook(await endpoint((response) => void response.writeHead(status).end()));
    await working();
    const { uid } = await createDocument(server);
    await until(async () => (await attempts()).length === 1);
    status = 204;
    await dueNow();
    await until(async () => (await attempts()).length === 2);
    const [second, first] = await attempts();
    expect([second?.error, first?.error]).toEqual([null, 'the endpoint responded with status 503']);
    expect(second?.message).toBe(first?.message);
    expect(received.at(-1)?.body.data.document?.uid).toBe(uid);
    for (let count = 0; count < 20; count += 1) await createDocument(server);
    await until(() => received.length === 22);
    await until(async () => (await attempts()).every(({ error }) => error === null));
    expect(await attempts()).toHaveLength(20);
  });

  test('include a test message, which is sent once and does not switch the webhook off', async () => {
    const { id } = await webhook(await endpoint((response) => void response.writeHead(410).end()), {
      enabled: false,
    });
    await working();
    const message = await sendTest(id);
    await until(async () => (await attempts()).length === 1);
    expect(await attempts()).toEqual([
      { message, type: 'test', took: expect.any(Number), error: 'the endpoint responded with status 410' },
    ]);
    expect(received[0]?.headers['webhook-id']).toBe(message);
    expect(received[0]?.body.type).toBe('test');
    await until(async () => (await deliveries()).length === 0);
    expect((await shown())[0].error).toBeNull();
  });

  test('are not part of the entity; a test of an unknown webhook is refused', async () => {
    await webhook(await endpoint());
    await expect(sendTest('00000000-0000-4000-8000-000000000000')).rejects.toThrow('There is no webhook');
    await expect(sendTest('nope')).rejects.toThrow('There is no webhook nope');
    expect((await shown())[0]).not.toHaveProperty('deliveries');
  });
});
