import { beforeEach, describe, expect, test } from '@jest/globals';
import { createDocument } from '../../support/documents.ts';
import { mailsOf } from '../../support/mails.ts';
import { askGraphql, calling } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { createGroup, createUser, useUser } from '../../support/users.ts';

const server = useServer({ MAIL_LIMIT: '5' });
const bob = useUser(server, 'bob');
const call = calling(server);

beforeEach(async () => {
  await server.database.prisma.mail.deleteMany();
});

const mail = { subject: 'Read this', message: 'It is here.', to: 'ann@example.org' };

const send = async (params: Record<string, unknown> = {}, request = server.request) =>
  call('Document.Mail', '/default-domain', { ...mail, ...params }, request);

async function createReachable(id: string, groups: readonly string[] = []): Promise<void> {
  await createUser(server, id, groups);
  await server.database.prisma.user.update({
    where: { id },
    data: { properties: { email: `${id}@example.org` } },
  });
}

describe('Document.Mail without SMTP_URL', () => {
  test('keeps the mail in a list', async () => {
    const { body } = await send({ cc: 'cid@example.org', bcc: ['dan@example.org'], from: 'me@example.org' });
    expect(body).toMatchObject({ 'entity-type': 'document', path: '/default-domain' });
    const [kept, ...others] = await mailsOf(server);
    expect(others).toEqual([]);
    expect(kept).toEqual({
      'entity-type': 'mail',
      id: expect.any(String),
      status: 'kept',
      createdBy: 'Administrator',
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      to: ['ann@example.org'],
      cc: ['cid@example.org'],
      bcc: ['dan@example.org'],
      replyTo: ['me@example.org'],
      subject: 'Read this',
      text: 'It is here.',
      isHtml: false,
      files: [],
      attempts: 0,
      sentAt: null,
      error: null,
    });
  });

  test('the database has no readable text', async () => {
    await send();
    const [row] = await server.database.prisma.mail.findMany();
    expect(JSON.stringify(row)).not.toContain('It is here');
  });

  test('finds the addresses of users, of groups and of their members once each', async () => {
    await createGroup(server, 'team');
    await createGroup(server, 'inner', ['team']);
    await createReachable('jane', ['team']);
    await createReachable('joe', ['inner']);
    await createUser(server, 'mute', ['team']);
    await send({ to: ['jane', 'user:joe'], cc: 'group:team' });
    expect(await mailsOf(server)).toMatchObject([
      { to: ['jane@example.org', 'joe@example.org'], cc: ['jane@example.org', 'joe@example.org'] },
    ]);
    expect((await send({ to: 'mute' })).status).toBe(400);
    expect((await send({ to: 'jane,mute,nosuch', 'Strict User Resolution': false })).status).toBe(200);
    expect(await mailsOf(server)).toMatchObject([{ to: ['jane@example.org'] }, {}]);
    expect((await send({ to: 'nosuch', 'Strict User Resolution': false })).body.message).toBe(
      'to must contain at least one e-mail address, or one user or group that has one.',
    );
  });

  test('attaches files of the document, whose bytes stay as long as the mail', async () => {
    const parent = await createDocument(server, { type: 'Folder' });
    const content = { name: 'a.txt', 'mime-type': 'text/plain', encoding: null, data: 'abc' };
    const { digest } = await server.blobs.write([Buffer.from('abc')]);
    const document = await createDocument(server, { type: 'File', parent: parent.path });
    await server.database.prisma.document.updateMany({
      where: { id: document.uid },
      data: {
        properties: {
          'file:content': { name: content.name, mimeType: 'text/plain', encoding: null, digest, length: 3 },
        },
      },
    });
    const answer = await call('Document.Mail', document.uid, { ...mail, files: 'file:content' });
    expect([answer.status, answer.body.message]).toEqual([200, undefined]);
    expect(await mailsOf(server)).toMatchObject([{ files: ['a.txt'] }]);
    expect(await server.database.prisma.mailFile.findMany()).toMatchObject([
      { digest, mimeType: 'text/plain' },
    ]);
  });

  test('MAIL_LIMIT bounds the recipients of the mails of a user in an hour', async () => {
    await send({ to: ['a@example.org', 'b@example.org'], cc: 'c@example.org' });
    const refusal = await send({ to: ['a@example.org', 'b@example.org', 'c@example.org'] });
    expect(refusal.status).toBe(429);
    expect(Number(refusal.headers['retry-after'])).toBeGreaterThan(3500);
    expect(refusal.body.message).toMatch(/^Administrator can send emails to 5 recipients per hour/);
    expect(await mailsOf(server)).toHaveLength(1);
    const several = await Promise.all(
      ['d', 'e', 'f', 'g'].map((name) => send({ to: `${name}@example.org` })),
    );
    expect(several.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429]);
    await server.database.prisma.mail.updateMany({ data: { createdAt: new Date(Date.now() - 3_601_000) } });
    expect((await send()).status).toBe(200);
  });

  test('a mail that a call rolls back with is not written', async () => {
    await call('Document.Mail', 'docs:/default-domain,/nosuch', mail).expect(404);
    expect(await mailsOf(server)).toEqual([]);
  });

  test('takes as many statements for many recipients as for one', async () => {
    const one = statements(await send());
    const many = statements(await send({ to: ['a@example.org', 'b@example.org', 'c@example.org'] }));
    expect(many).toBe(one);
  });

  test.each(['a@b', 'a@example.org,', ' ', '@', 'a b@example.org', '"x\\"@example.org', 'a@example.org>'])(
    'refuses %j as an address, or reads one address',
    async (to) => {
      const { status } = await send({ to });
      const mails = await mailsOf(server);
      expect([200, 400]).toContain(status);
      for (const { to: addresses } of mails)
        for (const each of addresses) expect(each).toMatch(/^[\w.]+@[\w.]+$/);
    },
  );
});

describe('the list of mails', () => {
  test('refuses a status that there is not', async () => {
    const query = 'query ($status: [String!]) { mails(status: $status) { resultsCount } }';
    await expect(askGraphql(server.request, query, { status: ['sent', 'a\0'] })).rejects.toThrow(
      'is not one of pending, sent, failed, kept.',
    );
  });

  test('is for administrators', async () => {
    await bob.get('/api/v1/mail').expect(403);
    await server.anonymous.get('/api/v1/mail').expect(401);
  });

  test('has pages, filters, and is in GraphQL too', async () => {
    await send({ subject: 'first' });
    await send({ subject: 'second' });
    const { body } = await server.request.get('/api/v1/mail?pageSize=1').expect(200);
    expect(body).toMatchObject({ 'entity-type': 'mails', resultsCount: 2, entries: [{ subject: 'second' }] });
    expect(await mailsOf(server, '?status=sent,failed')).toEqual([]);
    const { mails } = await askGraphql<{ mails: unknown }>(
      server.request,
      '{ mails(status: ["kept"]) { entries { subject text } } }',
    );
    expect(mails).toEqual({
      entries: ['second', 'first'].map((subject) => ({ subject, text: 'It is here.' })),
    });
  });

  test('takes as many statements for many mails as for one', async () => {
    await send();
    const one = statements(await server.request.get('/api/v1/mail'));
    await send();
    await send();
    expect(statements(await server.request.get('/api/v1/mail'))).toBe(one);
  });
});
