/** @group slow */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { startJobs } from '../../src/jobs/index.ts';
import { atId, createDocument } from '../support/documents.ts';
import { withSettings } from '../support/jobs.ts';
import { mailsOf } from '../support/mails.ts';
import { calling } from '../support/requests.ts';
import { useServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { createUser } from '../support/users.ts';

const server = useServer({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'quire@example.org' });
const call = calling(server);

interface Received {
  readonly from: string;
  readonly to: readonly string[];
  readonly text: string;
}

let received: Received[] = [];
let closes: Array<() => Promise<void> | void> = [];

beforeEach(async () => {
  received = [];
  closes = [];
  await server.database.prisma.mail.deleteMany();
  await server.database.prisma.job.deleteMany();
});
afterEach(async () => {
  for (const close of closes.reverse()) await close();
});

/** A mail server; the address of it. */
async function smtp(options: SMTPServerOptions = {}): Promise<string> {
  const mailServer = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        received.push({
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          to: envelope.rcptTo.map(({ address }) => address),
          text: Buffer.concat(chunks).toString('utf8'),
        });
        done();
      });
    },
    ...options,
  });
  mailServer.on('error', () => {}); // clients that break off
  const listening = mailServer.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  closes.push(() => new Promise((resolve) => mailServer.close(() => resolve())));
  return `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`;
}

async function mailing(
  url: string,
): Promise<{ readonly errors: unknown[]; readonly stop: () => Promise<void> }> {
  const errors: unknown[] = [];
  const stop = await startJobs(withSettings(server, { SMTP_URL: url, MAIL_FROM: 'quire@example.org' }), {
    interval: 50,
    onDone: () => {},
    onError: (_kind, error) => errors.push(error),
  });
  closes.push(stop);
  return { errors, stop };
}

const send = (params: Record<string, unknown> = {}) =>
  call('Document.Mail', '/default-domain', {
    subject: 'Grüße',
    message: 'It is here.',
    to: 'ann@example.org',
    ...params,
  }).expect(200);

const jobs = () => server.database.prisma.job.findMany({ where: { kind: 'send-mail' } });

const dueNow = () => server.database.prisma.job.updateMany({ data: { runAt: new Date(0) } });

describe('mails', () => {
  test('are sent once their call is answered, and their text is forgotten', async () => {
    await mailing(await smtp());
    await send({ cc: 'cid@example.org', bcc: 'dan@example.org', from: 'me@example.org' });
    await until(() => received.length === 1);
    const [mail] = received;
    expect(mail).toMatchObject({
      from: 'quire@example.org',
      to: ['ann@example.org', 'cid@example.org', 'dan@example.org'],
    });
    expect(mail?.text).toMatch(/^From: quire@example\.org\r$/m);
    expect(mail?.text).toMatch(/^Reply-To: me@example\.org\r$/m);
    expect(mail?.text).toMatch(/^Subject: =\?UTF-8\?/m);
    expect(mail?.text).toContain('It is here.');
    expect(mail?.text).not.toContain('dan@example.org');
    await until(async () => (await mailsOf(server, '?status=sent')).length === 1);
    expect(await mailsOf(server)).toMatchObject([{ text: null, attempts: 1, error: null }]);
  });

  test('of before the start are sent, each once by several processes', async () => {
    for (let count = 0; count < 12; count += 1) await send();
    const url = await smtp();
    await mailing(url);
    await mailing(url);
    await until(async () => (await mailsOf(server, '?status=sent')).length === 12);
    expect(received).toHaveLength(12);
  });

  test('are sent once where the database cannot note it at first', async () => {
    const run = (sql: string) => server.database.prisma.$executeRawUnsafe(sql);
    await run('CREATE SEQUENCE notes');
    await run(`CREATE FUNCTION refuse_note() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM nextval('notes'); RAISE EXCEPTION 'no' USING ERRCODE = 'cannot_connect_now'; END $$`);
    await run(`CREATE TRIGGER refuse_note BEFORE UPDATE ON mail FOR EACH ROW WHEN (NEW.status = 'sent')
      EXECUTE FUNCTION refuse_note()`);
    closes.push(async () => void (await run('DROP SEQUENCE notes')));
    const { errors } = await mailing(await smtp());
    await send();
    const notes = async () => {
      const [row] = await server.database.prisma.$queryRaw<Array<{ n: number }>>`
        SELECT last_value::int AS n FROM notes`;
      return row?.n ?? 0;
    };
    await until(async () => (await notes()) >= 2);
    await dueNow();
    await run('DROP FUNCTION refuse_note CASCADE');
    await until(async () => (await mailsOf(server, '?status=sent')).length === 1);
    await until(async () => (await jobs()).length === 0);
    expect([received.length, errors]).toEqual([1, []]);
    expect(await mailsOf(server)).toMatchObject([{ attempts: 1, error: null }]);
  });

  test('carry HTML and files', async () => {
    const document = await createDocument(server, { type: 'File' });
    const { digest } = await server.blobs.write([Buffer.from('the bytes')]);
    const content = { name: 'ä.txt', mimeType: 'text/plain', encoding: null, digest, length: 9 };
    await server.database.prisma.document.updateMany({
      where: { id: document.uid },
      data: { properties: { 'file:content': content } },
    });
    await mailing(await smtp());
    const params = { subject: 'a', message: '<b>x</b>', HTML: true, to: 'ann@example.org' };
    await call('Document.Mail', document.uid, { ...params, files: 'file:content' }).expect(200);
    await until(() => received.length === 1);
    expect(received[0]?.text).toContain('Content-Type: text/html');
    expect(received[0]?.text).toContain('Content-Disposition: attachment');
    expect(received[0]?.text).toContain(Buffer.from('the bytes').toString('base64'));
  });

  test('are tried again later when the server is away or refuses for now', async () => {
    let refusals = 0;
    const url = await smtp({
      onMailFrom: (_address, _session, done) => {
        refusals += 1;
        done(refusals === 1 ? Object.assign(new Error('come back later'), { responseCode: 451 }) : null);
      },
    });
    const away = await mailing('smtp://127.0.0.1:1');
    await send();
    await until(() => away.errors.length === 1);
    await away.stop();
    await until(async () => (await mailsOf(server))[0]?.error !== null);
    expect(await jobs()).toMatchObject([{ state: 'waiting', attempts: 1 }]);
    const { errors } = await mailing(url);
    await dueNow();
    await until(() => errors.length === 1);
    await until(async () => /come back later/.test(String((await mailsOf(server))[0]?.error)));
    const [row] = await server.database.prisma.mail.findMany();
    expect(row).toMatchObject({ status: 'pending', attempts: 2 });
    await until(async () => (await jobs()).some(({ state }) => state === 'waiting'));
    expect(Number((await jobs())[0]?.runAt)).toBeGreaterThan(Date.now() + 250_000);
    await dueNow();
    await until(async () => (await mailsOf(server, '?status=sent')).length === 1);
    expect(received).toHaveLength(1);
  });

  test('that the server refuses for good have failed, and keep their text', async () => {
    await mailing(
      await smtp({
        onRcptTo: (_address, _session, done) =>
          done(Object.assign(new Error('no such mailbox'), { responseCode: 550 })),
      }),
    );
    await send();
    await until(async () => (await mailsOf(server, '?status=failed')).length === 1);
    expect(await mailsOf(server)).toMatchObject([
      { text: 'It is here.', attempts: 1, error: expect.stringContaining('no such mailbox') },
    ]);
  });

  test('fail when the key of their text is another one', async () => {
    await send();
    await server.database.prisma.mail.updateMany({ data: { sealedText: 'x' } });
    await mailing(await smtp());
    await until(async () => (await mailsOf(server, '?status=failed')).length === 1);
    expect(received).toEqual([]);
  });

  describe('about an ACE with a begin', () => {
    const begin = new Date(Date.now() + 86_400_000).toISOString();
    const grantTomorrow = async (uid: string, id: string) => {
      await createUser(server, id);
      await server.database.prisma.user.update({
        where: { id },
        data: { properties: { email: `${id}@b.org` } },
      });
      const params = { permission: 'Read', users: [id], notify: true, begin };
      await call('Document.AddPermission', uid, params).expect(200);
    };

    test('wait for it', async () => {
      await grantTomorrow((await createDocument(server)).uid, 'ada');
      const times = (await jobs()).map(({ runAt }) => runAt.toISOString().slice(0, 19));
      expect(times).toEqual([begin.slice(0, 19)]);
    });

    test('are not sent when the document is gone by then, alone or with a folder', async () => {
      const folder = await createDocument(server, { type: 'Folder' });
      const inner = await createDocument(server, { parent: folder.path });
      const [left, gone] = [await createDocument(server), await createDocument(server)];
      for (const [index, { uid }] of [inner, left, gone].entries()) await grantTomorrow(uid, `bo${index}`);
      for (const { uid } of [folder, gone]) await server.request.delete(atId(uid)).expect(204);
      await dueNow();
      await mailing(await smtp());
      await until(async () => (await jobs()).length === 0);
      expect(received.map(({ to }) => to)).toEqual([['bo1@b.org']]);
      expect(await mailsOf(server)).toMatchObject([{ to: ['bo1@b.org'], status: 'sent' }]);
    });
  });

  test('that the mail server keeps waiting do not keep this one from stopping, and are sent after its start', async () => {
    await send();
    const seen: unknown[] = [];
    const { errors, stop } = await mailing(
      await smtp({ onMailFrom: (address) => void seen.push(address), closeTimeout: 100 }), // it never answers
    );
    await until(() => seen.length === 1);
    const began = performance.now();
    await stop();
    expect(performance.now() - began).toBeLessThan(9_000); // the process is cut off then
    expect(errors).toEqual([]);
    expect(await jobs()).toMatchObject([{ state: 'waiting', attempts: 0 }]);
    expect(await mailsOf(server)).toMatchObject([{ status: 'pending', attempts: 0, error: null }]);
    await mailing(await smtp());
    await until(async () => (await mailsOf(server, '?status=sent')).length === 1);
    expect(received).toHaveLength(1);
  });

  test('that were not tried when the server stops are free for others', async () => {
    for (let count = 0; count < 6; count += 1) await send();
    const proceed: Array<() => void> = [];
    const url = await smtp({
      onMailFrom: (_address, _session, done) => void proceed.push(() => done(null)),
    });
    const { stop } = await mailing(url);
    await until(() => proceed.length === 4);
    const stopped = stop();
    for (const each of proceed) each();
    await stopped;
    expect((await jobs()).map(({ state, attempts }) => [state, attempts])).toEqual([
      ['waiting', 0],
      ['waiting', 0],
    ]);
    expect(received).toHaveLength(4);
  });
});
