/** @group every-database */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { createDocument } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';
import { as, createUser } from '../../support/users.ts';

const server = useServer();
const loopback = useServer({ WEBHOOK_PRIVATE_ADDRESSES: '127.0.0.0/8' });
const at = '/api/v1/management/webhooks';

beforeEach(async () => {
  await server.database.prisma.webhook.deleteMany();
  await server.database.prisma.job.deleteMany();
});

const bodyOf = (fields: Record<string, unknown>) => ({ 'entity-type': 'webhook', ...fields });

async function created(fields: Record<string, unknown> = {}) {
  const { body } = await server.request
    .post(at)
    .send(bodyOf({ url: 'https://example.org/hook', ...fields }))
    .expect(201);
  return body;
}

const isOn = async () => {
  const query = { name: '', text: "SELECT tgenabled FROM pg_trigger WHERE tgname = 'log_entry_webhooks'" };
  const [row] = await server.database.query<{ tgenabled: string }>(query, []);
  return row?.tgenabled === 'O';
};

describe('webhooks', () => {
  test('cost writes nothing while there is none', async () => {
    expect(await isOn()).toBe(false);
    await created();
    expect(await isOn()).toBe(true);
  });

  test('show their secret once, and keep it encrypted', async () => {
    const { secret, ...webhook } = await created({
      events: ['documentCreated'],
      types: ['File'],
      path: '/a',
    });
    expect(secret).toMatch(/^whsec_.{44}$/);
    expect(webhook).toMatchObject({
      'entity-type': 'webhook',
      url: 'https://example.org/hook',
      events: ['documentCreated'],
      types: ['File'],
      path: '/a',
      enabled: true,
      error: null,
      createdBy: 'Administrator',
    });
    const { body } = await server.request.get(at).expect(200);
    expect(body).toEqual({ 'entity-type': 'webhooks', entries: [webhook] });
    const row = await server.database.prisma.webhook.findFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain(secret.slice(6));
  });

  test.each([
    'http://127.0.0.1/',
    'http://localhost:9/',
    'http://a.localhost/',
    'http://[::1]/',
    'http://2130706433/',
    'https://192.168.1.4/hook',
    'http://[::ffff:10.0.0.1]/',
    'http://[64:ff9b::10.0.0.1]/',
  ])('at the private address %s are refused at once', async (url) => {
    const { body } = await server.request.post(at).send(bodyOf({ url })).expect(400);
    expect(body.message).toMatch(
      /^url: \S+ is not a public address, and WEBHOOK_PRIVATE_ADDRESSES does not allow it$/,
    );
    const { id } = await created();
    await server.request.put(`${at}/${id}`).send(bodyOf({ url })).expect(400);
  });

  test.each(['http://127.0.0.1:9/', 'http://localhost:9/'])(
    'at a private address are accepted where the setting allows it: %s',
    async (url) => {
      const fields = { url, enabled: false };
      await loopback.request.post(at).send(bodyOf(fields)).expect(201);
    },
  );

  test('change what is given, and are deleted with what is to be sent', async () => {
    const { id } = await created({ path: '/a', types: ['File'] });
    const { body } = await server.request
      .put(`${at}/${id}`)
      .send(bodyOf({ path: null, url: 'http://example.org' }));
    expect(body).toMatchObject({ id, path: null, url: 'http://example.org', types: ['File'] });
    await server.request
      .put(`${at}/${id}`)
      .send(bodyOf({ types: [] }))
      .expect(200);
    await createDocument(server);
    expect(await server.database.prisma.job.count()).toBe(1);
    await server.request.delete(`${at}/${id}`).expect(204);
    expect(await server.database.prisma.job.count({ where: { kind: 'send-webhook' } })).toBe(0);
    await server.request.delete(`${at}/${id}`).expect(404);
    await server.request.put(`${at}/x`).send(bodyOf({})).expect(404);
  });

  test.each([
    [{}, 'url is missing'],
    [{ url: 'ftp://example.org' }, 'http'],
    [{ url: 'nothing' }, 'http'],
    [{ url: 'http://a:b@example.org' }, 'credentials'],
    [{ url: 'http://example.org', path: 'a' }, 'slash'],
    [{ url: 'http://example.org', secret: 'short' }, 'secret'],
    [{ url: 'http://example.org', events: [''] }, 'events'],
    [{ url: 'http://example.org', types: 'File' }, 'types must be a list'],
    [
      { url: 'http://example.org', types: ['File', 'Nix'] },
      'types: Type: Nix does not exist. GET /api/v1/config/types lists the types.',
    ],
  ])('are not created from %j', async (fields, fault) => {
    const { body } = await server.request.post(at).send(bodyOf(fields)).expect(400);
    expect(body.message).toContain(fault);
  });

  test('are written in GraphQL too', async () => {
    const ask = async (query: string) => (await server.request.post('/graphql').send({ query })).body.data;
    const made = await ask(
      'mutation { createWebhook(webhook: { url: "http://example.org" }) { id secret } }',
    );
    const { id, secret } = made.createWebhook;
    expect(secret).toMatch(/^whsec_/);
    expect(await ask('{ webhooks { entries { id secret } } }')).toEqual({
      webhooks: { entries: [{ id, secret: null }] },
    });
    const changed = `mutation { updateWebhook(id: "${id}", webhook: { enabled: false }) { enabled } }`;
    expect(await ask(changed)).toEqual({ updateWebhook: { enabled: false } });
    expect(await ask(`mutation { deleteWebhook(id: "${id}") }`)).toEqual({ deleteWebhook: id });
  });

  test('are at most a hundred for each repository', async () => {
    const { secret: _, id, ...fields } = await created();
    const row = await server.database.prisma.webhook.findFirstOrThrow();
    const { id: __, ...columns } = row;
    const others = Array.from({ length: 98 }, () => ({ ...columns, deliveries: [], id: randomUUID() }));
    await server.database.prisma.webhook.createMany({ data: others });
    await created({ url: fields.url });
    const { body } = await server.request
      .post(at)
      .send(bodyOf({ url: fields.url }))
      .expect(409);
    expect(body.message).toBe('A repository can have at most 100 webhooks. Delete one of them first.');
    await server.request.delete(`${at}/${id}`).expect(204);
    await created();
  });

  test('are for administrators alone', async () => {
    const { id } = await created();
    await createUser(server, 'ann');
    const ann = as(server, 'ann');
    await ann.get(at).expect(403);
    await ann
      .post(at)
      .send(bodyOf({ url: 'http://example.org' }))
      .expect(403);
    await ann
      .put(`${at}/${id}`)
      .send(bodyOf({ enabled: false }))
      .expect(403);
    await ann.delete(`${at}/${id}`).expect(403);
    expect(await server.database.prisma.webhook.findMany()).toMatchObject([{ isEnabled: true }]);
  });
});
