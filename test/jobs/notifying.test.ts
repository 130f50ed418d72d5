/** @group slow */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { SMTPServer } from 'smtp-server';
import { startJobs } from '../../src/jobs/index.ts';
import { comment } from '../rest/comments/comment-requests.ts';
import { reviewing } from '../rest/workflows/workflow-requests.ts';
import { folderOfFiles, runBulkBelow } from '../support/bulk.ts';
import { atId, createDocument, type DocumentEntity } from '../support/documents.ts';
import { withSettings } from '../support/jobs.ts';
import { useServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { as, createUser } from '../support/users.ts';

const server = useServer({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'quire@example.org' });

interface Received {
  readonly to: readonly string[];
  readonly text: string;
}

let received: Received[] = [];
let closes: Array<() => Promise<void>> = [];
let folder: DocumentEntity;
let startAgain: () => Promise<() => Promise<void>>;

/** A look of a job that finds whom to notify, some time after the last one, and the jobs that it writes. */
async function later(kind: 'find-notified' | 'find-digests'): Promise<void> {
  const { prisma } = server.database;
  const where = { kind, state: 'waiting' };
  await until(async () => (await prisma.job.count({ where })) === 1);
  const [now] = await server.database.query<{ id: string }>(
    { name: '', text: 'SELECT pg_current_xact_id()::text AS id' },
    [],
  );
  const looked = async () => {
    const payload = (await prisma.job.findFirst({ where }))?.payload as { transaction?: string } | undefined;
    return BigInt(payload?.transaction ?? 0) > BigInt(now?.id ?? 0);
  };
  // Other transactions of the server, such as those of other tests, hold the log back until they end.
  await until(async () => {
    await prisma.job.updateMany({ where, data: { runAt: new Date(0) } });
    return looked();
  });
  await prisma.job.updateMany({ where, data: { runAt: new Date(0) } });
  await until(async () => (await prisma.job.count({ where: { ...where, runAt: { gt: new Date() } } })) === 1);
  const waiting = { kind: { in: ['notify-person', 'send-mail'] } };
  await until(async () => (await prisma.job.count({ where: waiting })) === 0);
}

const aMinuteLater = () => later('find-notified');
const aDayLater = () => later('find-digests');

async function user(id: string, groups = ['members']): Promise<void> {
  await createUser(server, id, groups);
  await server.database.prisma.user.update({
    where: { id },
    data: { properties: { email: `${id}@example.org` } },
  });
}

const follow = (id: string, document: Pick<DocumentEntity, 'uid'>) =>
  as(server, id)
    .post(`${atId(document.uid)}/@op/Document.Subscribe`)
    .send({ params: { notifications: ['Modification'] } })
    .expect(200);

const rename = (document: Pick<DocumentEntity, 'uid'>, title: string, request = server.request) =>
  request
    .put(atId(document.uid))
    .send({ 'entity-type': 'document', properties: { 'dc:title': title } })
    .expect(200);

const to = (id: string) => received.filter((mail) => mail.to.includes(`${id}@example.org`));

/** The text of the only mail, without the line breaks of quoted-printable. */
const textTo = (id: string): string => {
  expect(to(id)).toHaveLength(1);
  return (to(id)[0]?.text ?? '').replaceAll('=\r\n', '').replaceAll('\r\n', '\n');
};

beforeAll(async () => {
  const mailServer = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        received.push({
          to: envelope.rcptTo.map(({ address }) => address),
          text: Buffer.concat(chunks).toString('utf8'),
        });
        done();
      });
    },
  });
  const listening = mailServer.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  closes.push(() => new Promise((resolve) => mailServer.close(() => resolve())));
  const url = `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`;
  const options = {
    interval: 50,
    onDone: () => {},
    onError: (_: string, error: unknown) => server.logged.push({ error }),
  };
  startAgain = () =>
    startJobs(withSettings(server, { SMTP_URL: url, MAIL_FROM: 'quire@example.org' }), options);
  closes.push(await startAgain());
  for (const id of ['ann', 'bob', 'cid']) await user(id);
});
afterAll(async () => {
  for (const close of closes.reverse()) await close();
  closes = [];
});
beforeEach(async () => {
  await server.database.prisma.subscription.deleteMany();
  folder = await createDocument(server, { type: 'Folder' });
  await aMinuteLater();
  received = [];
});

describe('§4.9 followers of a document', () => {
  test('get one mail for several changes within a minute', async () => {
    const file = await createDocument(server, { parent: folder.path, type: 'File' });
    await follow('ann', file);
    await rename(file, 'First');
    await rename(file, 'Second');
    await aMinuteLater();
    expect(textTo('ann')).toMatch(/^Subject: Changes to documents that you follow$/m);
    expect(textTo('ann')).toContain('- "Second": changed by Administrator\n');
    expect(textTo('ann')).toContain(file.uid);
  });

  test('get mails about documents below a folder, but not of events that they did not subscribe to', async () => {
    await follow('ann', folder);
    const file = await createDocument(server, { parent: folder.path, type: 'File' });
    await rename(file, 'Below');
    await aMinuteLater();
    expect(textTo('ann')).toContain('- "Below": changed by Administrator\n');
    expect(to('bob')).toEqual([]);
  });

  test('get no mail about what they did themselves', async () => {
    await server.request
      .post(`${atId(folder.uid)}/@op/Document.AddPermission`)
      .send({ params: { username: 'ann', permission: 'ReadWrite' } })
      .expect(200);
    await follow('ann', folder);
    await follow('bob', folder);
    await rename(folder, 'Mine', as(server, 'ann'));
    await aMinuteLater();
    expect(to('ann')).toEqual([]);
    expect(textTo('bob')).toContain('changed by ann');
  });

  test('get no mail once they may not read the document', async () => {
    const open = await createDocument(server, { type: 'Folder' });
    await follow('ann', folder);
    await follow('ann', open);
    await rename(folder, 'Secret');
    await rename(open, 'Open');
    await server.request
      .post(`${atId(folder.uid)}/@op/Document.BlockPermissionInheritance`)
      .send({})
      .expect(200);
    await aMinuteLater();
    expect(textTo('ann')).toContain('"Open"');
    expect(textTo('ann')).not.toContain('Secret');
  });

  test('get no mail without an address', async () => {
    await createUser(server, 'deaf', ['members']);
    await follow('deaf', folder);
    await follow('ann', folder);
    await rename(folder, 'Heard');
    await aMinuteLater();
    expect(received.map((mail) => mail.to)).toEqual([['ann@example.org']]);
  });

  test('get no mail while they have turned mails off', async () => {
    const turn = (byMail: unknown) =>
      as(server, 'cid').put('/api/v1/me/notifications').send({ 'entity-type': 'notifications', byMail });
    await follow('cid', folder);
    await follow('ann', folder);
    await turn(false).expect(200, {
      'entity-type': 'notifications',
      byMail: false,
      frequency: 'never',
      language: null,
    });
    await rename(folder, 'Quiet');
    await aMinuteLater();
    expect(received.map((mail) => mail.to)).toEqual([['ann@example.org']]);
    await turn('yes').expect(400);
    await turn(true).expect(200);
    await as(server, 'cid').get('/api/v1/me/notifications').expect(200, {
      'entity-type': 'notifications',
      byMail: true,
      frequency: 'immediately',
      language: null,
    });
    await rename(folder, 'Loud');
    await aMinuteLater();
    expect(textTo('cid')).toContain('"Loud"');
  });

  test('get mails in the language that they chose', async () => {
    await user('eva');
    await as(server, 'eva')
      .put('/api/v1/me/notifications')
      .send({ 'entity-type': 'notifications', language: 'fr' })
      .expect(200);
    await follow('eva', folder);
    await follow('ann', folder);
    await rename(folder, 'Both');
    await aMinuteLater();
    expect(textTo('ann')).toContain('- "Both": changed by Administrator\n');
    expect(textTo('eva')).toMatch(/^Subject: Modifications des documents que vous suivez$/m);
    expect(textTo('eva')).toContain('Both');
  });

  test('get one line for a bulk action', async () => {
    const made = await folderOfFiles(server, 25);
    await follow('ann', made.folder);
    await runBulkBelow(server.request, 'setProperties', made.folder, { 'dc:description': 'All' });
    await aMinuteLater();
    expect(textTo('ann')).toContain('- 25 documents: changed by Administrator\n');
    expect(textTo('ann')).not.toContain(made.files[0]?.uid);
  });

  test('do not count for the limit of mails of anybody', async () => {
    await follow('ann', folder);
    await rename(folder, 'Counted');
    await aMinuteLater();
    const { body } = await server.request.get('/api/v1/mail?pageSize=1').expect(200);
    expect(body.entries).toMatchObject([{ createdBy: '', to: ['ann@example.org'] }]);
  });
});

describe('§4.7 assignees of a task', () => {
  const start = (
    document: Pick<DocumentEntity, 'uid'>,
    participants: readonly string[],
    request = server.request,
  ) =>
    request
      .post(`${atId(document.uid)}/@op/Workflow.CreateTask`)
      .send({
        params: { 'task name': 'Check it', 'additional list of actors prefixed ids': participants.join(',') },
      })
      .expect(200);

  test('get a mail, also as members of a group, but not about a task of their own making', async () => {
    const file = await createDocument(server, { parent: folder.path, type: 'File' });
    await server.database.prisma.group.create({ data: { id: 'checkers' } });
    for (const memberId of ['ann', 'bob'])
      await server.database.prisma.userMembership.create({ data: { memberId, groupId: 'checkers' } });
    await server.request
      .post(`${atId(file.uid)}/@op/Document.AddPermission`)
      .send({ params: { username: 'ann', permission: 'Everything' } })
      .expect(200);
    await start(file, ['group:checkers'], as(server, 'ann'));
    await aMinuteLater();
    expect(to('ann')).toEqual([]);
    expect(textTo('bob')).toMatch(/^Subject: New tasks for you$/m);
    expect(textTo('bob')).toContain('- Check it, about "');
    expect(textTo('bob')).toContain('(from ann)');
    expect(textTo('bob')).toContain(file.uid);
  });

  test('get a mail when a task is delegated to them, and its actors get no second one', async () => {
    const file = await createDocument(server, { parent: folder.path, type: 'File' });
    await start(file, ['user:ann']);
    await aMinuteLater();
    expect(textTo('ann')).toContain('(from Administrator)');
    received = [];
    const { body } = await as(server, 'ann')
      .get(`${atId(file.uid)}/@task`)
      .expect(200);
    await as(server, 'ann')
      .put(`/api/v1/task/${body.entries[0].id}/delegate?delegatedActors=cid`)
      .expect(200);
    await aMinuteLater();
    expect(textTo('cid')).toContain('(from ann)');
    expect(received).toHaveLength(1);
  });

  test('get a mail about a task of a workflow without documents, with a link to the list of tasks', async () => {
    const { agent, end, only } = reviewing(server);
    const { body: workflow } = await agent('Administrator')
      .post('/api/v1/workflow')
      .send({ 'entity-type': 'workflow', workflowModelName: 'SerialDocumentReview' })
      .expect(201);
    const variables = { participants: ['user:ann'], validationOrReview: 'validation' };
    await end('Administrator', await only(workflow), 'start_review', { variables }).expect(200);
    await aMinuteLater();
    expect(textTo('ann')).toMatch(/\n- .+ \(from Administrator\)\n {2}http:\/\/\S+\/tasks\n/);
    expect(textTo('ann')).not.toContain('/api/v1');
    const [task] = (await agent('ann').get('/api/v1/task').expect(200)).body.entries;
    received = [];
    await agent('ann').put(`/api/v1/task/${task.id}/delegate?delegatedActors=cid`).expect(200);
    await aMinuteLater();
    expect(textTo('cid')).toContain('(from ann)');
    expect(received).toHaveLength(1);
  });

  test('get no mail about a task that was ended meanwhile', async () => {
    const file = await createDocument(server, { parent: folder.path, type: 'File' });
    await start(file, ['user:ann']);
    await start(file, ['user:bob']);
    const { body } = await as(server, 'ann')
      .get(`${atId(file.uid)}/@task?userId=ann`)
      .expect(200);
    const own = body.entries.find(
      ({ actors }: { actors: Array<{ id: string }> }) => actors[0]?.id === 'user:ann',
    );
    await server.request.delete(`/api/v1/workflow/${own.workflowInstanceId}`).expect(204);
    await aMinuteLater();
    expect(textTo('bob')).toContain(file.uid);
    expect(to('ann')).toEqual([]);
  });
});

describe('A daily digest', () => {
  const choose = (id: string, frequency: string) =>
    as(server, id)
      .put('/api/v1/me/notifications')
      .send({ 'entity-type': 'notifications', frequency })
      .expect(200);

  let count = 0;

  /** A new user, who gets digests. */
  async function digested(): Promise<string> {
    count += 1;
    const id = `daily-${count}`;
    await user(id);
    await choose(id, 'daily');
    await aDayLater();
    received = [];
    return id;
  }

  test('has a whole day in one email: changes, tasks, mentions, replies and comments on followed documents', async () => {
    const id = await digested();
    const file = await createDocument(server, { parent: folder.path, type: 'File' });
    const other = await createDocument(server, { parent: folder.path, properties: { 'dc:title': 'Other' } });
    await as(server, id)
      .post(`${atId(file.uid)}/@op/Document.Subscribe`)
      .send({ params: {} })
      .expect(200);
    await rename(file, 'Followed');
    const first = await comment(as(server, id), other.uid, 'first');
    await comment(server.request, first.id, 'reply');
    await comment(server.request, other.uid, `look, @${id}`);
    await comment(server.request, file.uid, 'remark');
    await aMinuteLater();
    await rename(file, 'Followed');
    await aMinuteLater();
    expect(to(id)).toEqual([]);
    await aDayLater();
    const text = textTo(id);
    expect(text).toMatch(/^Subject: Your daily summary$/m);
    expect(text).toContain('"Followed": commented on by Administrator, changed by Administrator');
    expect(text).toContain('you were mentioned by Administrator, your comment was answered by Administrator');
    received = [];
    await aDayLater();
    expect(to(id)).toEqual([]);
  });

  test('repeats nothing after a restart, nor on another node', async () => {
    const id = await digested();
    await follow(id, folder);
    await rename(folder, 'Once');
    closes.push(await startAgain());
    await aDayLater();
    await aDayLater();
    expect(textTo(id)).toContain('"Once"');
    const { prisma } = server.database;
    expect(await prisma.job.count({ where: { kind: 'find-digests' } })).toBe(1);
    const next = await prisma.job.findFirstOrThrow({ where: { kind: 'find-digests' } });
    expect([next.runAt.getHours(), next.runAt.getTime() > Date.now()]).toEqual([6, true]);
  });

  test('leaves out what the user has been told before choosing it, and what the user may not read any more', async () => {
    const id = await digested();
    await choose(id, 'immediately');
    await follow(id, folder);
    await rename(folder, 'Told');
    await aMinuteLater();
    expect(textTo(id)).toContain('"Told"');
    received = [];
    await choose(id, 'daily');
    const open = await createDocument(server, { type: 'Folder' });
    await follow(id, open);
    await rename(open, 'Open');
    await aDayLater();
    expect(textTo(id)).toContain('"Open"');
    expect(textTo(id)).not.toContain('Told');
    received = [];
    await rename(open, 'Secret');
    await server.request
      .post(`${atId(open.uid)}/@op/Document.BlockPermissionInheritance`)
      .send({})
      .expect(200);
    await aDayLater();
    expect(to(id)).toEqual([]);
  });

  test('is not sent to users who want no emails, and neither are emails about comments', async () => {
    const id = await digested();
    await follow(id, folder);
    await choose(id, 'never');
    await rename(folder, 'Quiet');
    await comment(server.request, folder.uid, `@${id}`);
    await aMinuteLater();
    await aDayLater();
    expect(to(id)).toEqual([]);
  });
});
