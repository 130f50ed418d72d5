import { beforeAll, expect, test } from '@jest/globals';
import { register, tokensFor } from '../oauth2/flow.ts';
import { createDocument } from '../support/documents.ts';
import { mailsOf } from '../support/mails.ts';
import { calling } from '../support/requests.ts';
import { useServer } from '../support/server.ts';
import { createUser } from '../support/users.ts';
import { audit } from './audit/audit-requests.ts';
import { atDirectory, entryBody } from './directories/directory-requests.ts';
import { reviewing } from './workflows/workflow-requests.ts';

// The years of dates begin with 0; PostgreSQL has no such year.
const server = useServer();
const { request } = server;
const run = calling(server);
const flow = reviewing(server);
beforeAll(async () => {
  await createUser(server, 'ann');
  await server.database.prisma.user.update({
    where: { id: 'ann' },
    data: { properties: { email: 'ann@example.org' } },
  });
});

test('§2.6 the log is filtered from the year 0 on, and until then', async () => {
  const document = await createDocument(server);
  const found = async (query: Record<string, string>) =>
    (await audit(server, document, query).expect(200)).body.resultsCount;
  expect(await found({ startEventDate: '0000-01-01' })).toBe(1);
  expect(await found({ endEventDate: '0000-01-01' })).toBe(0);
  const { body } = await request
    .get(`/api/v1/id/${document.uid}`)
    .query({ startEventDate: '0000-01-01' })
    .set({ 'enrichers.document': 'audit' })
    .expect(200);
  expect(body.contextParameters.audit).toHaveLength(1);
  const address = '/api/v1/search/pp/DOCUMENT_HISTORY_PROVIDER/execute';
  const page = await request
    .get(address)
    .query({ queryParams: document.uid, startDate: '0000-01-01' })
    .expect(200);
  expect(page.body.entries).toHaveLength(1);
  for (const [condition, count] of [
    ['>=', 1],
    ['<', 0],
  ] as const) {
    const query = `from LogEntry log where log.docUUID = '${document.uid}' and log.eventDate ${condition} DATE '0000-01-01'`;
    const answer = await run('Audit.Query', undefined, { query }).expect(200);
    expect(answer.body.entries).toHaveLength(count);
  }
});

test('§4.7 a task that is due in the year 0 is due as early as can be', async () => {
  const { uid } = await createDocument(server);
  const { body: workflow } = await flow.start('Administrator', 'ParallelDocumentReview', [uid]).expect(201);
  const review = { participants: ['user:ann'], validationOrReview: 'validation' };
  const variables = { ...review, end_date: '0000-01-01' };
  await flow.end('Administrator', await flow.only(workflow), 'start_review', { variables }).expect(200);
  expect((await flow.only(workflow)).dueDate).toBe('0001-01-01T00:00:00.000Z');
  const task = {
    'task name': 'look',
    'due date': '0000-01-01T00:00:00Z',
    'additional list of actors prefixed ids': 'user:ann',
  };
  await run('Task.Create', (await createDocument(server)).uid, task).expect(200);
});

test('§4.5 a permission that began in the year 0 is mailed at once', async () => {
  const { uid } = await createDocument(server);
  const params = { users: ['ann'], permission: 'Read', begin: '0000-01-01T00:00:00Z', notify: true };
  await run('Document.AddPermission', uid, params).expect(200);
  expect((await mailsOf(server)).map(({ to }) => to)).toEqual([['ann@example.org']]);
});

test('§5 a token of the year 0 has expired', async () => {
  await register(server);
  const { access_token } = await tokensFor(server);
  const { body } = await request.get(atDirectory('oauth2Tokens')).expect(200);
  type Entry = { id: string; properties: Record<string, unknown> };
  const found = body.entries.find(
    ({ properties }: Entry) => properties.accessToken === access_token,
  ) as Entry;
  const properties = { ...found.properties, creationDate: '0000-01-01T00:00:00.000Z' };
  await request
    .put(atDirectory('oauth2Tokens', found.id))
    .send(entryBody('oauth2Tokens', { id: found.id, properties }))
    .expect(200);
  const { body: changed } = await request.get(atDirectory('oauth2Tokens', found.id)).expect(200);
  expect(changed.properties.creationDate).toBe('0001-01-01T00:00:00.000Z');
  const query = { creationDate: '0000-01-01T00:00:00.000Z' };
  expect((await request.get(atDirectory('oauth2Tokens')).query(query).expect(200)).body.entries).toHaveLength(
    1,
  );
});
