import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { sweepBlobs } from '../../../src/store/blobs/sweep-blobs.ts';
import { executionJob, findPendingExecution } from '../../../src/store/executions/begin-execution.ts';
import { grant, setAcl } from '../../support/acls.ts';
import { startBeside } from '../../support/beside.ts';
import { createDocument } from '../../support/documents.ts';
import { type Call, callAt } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { as, createUser, deleteUser, password } from '../../support/users.ts';

const server = useServer();
const { request } = server;
const op = (operation: string) => `/api/v1/automation/${operation}`;

// The server runs nothing: its executions are pending until another process comes.
beforeAll(() => server.stopCallersJobs());

const closings: Array<() => Promise<void>> = [];
afterEach(async () => {
  for (const close of closings.splice(0)) await close();
});

async function comeBeside(settings?: Record<string, string>): Promise<void> {
  closings.push((await startBeside(server, settings)).close);
}

/** Begins an execution; the address of its result. */
async function begin(operation: string, given: Call, who = request): Promise<string> {
  const { headers } = await callAt(who, `${op(operation)}/@async`, given).expect(202);
  return (headers.location ?? '').replace(/^https?:\/\/[^/]+/, '').replace(/\/status$/, '');
}

const done = (result: string) => until(async () => (await request.get(`${result}/status`)).status === 303);
const idOf = (result: string): string => result.split('/').at(-1) ?? '';
const childrenOf = async (path: string): Promise<number> =>
  (await request.get(`/api/v1/path${path}/@children`).expect(200)).body.resultsCount;

/** Begins the creation of a document in a folder. */
const create = (path: string, who = request) =>
  begin('Document.Create', { input: path, params: { type: 'File', name: 'later' } }, who);

describe('§4.7 an execution that waits for a process', () => {
  test('is done by the next one, with the blobs that came with it', async () => {
    const { path } = await createDocument(server, { type: 'Folder' });
    const blobs = [{ content: 'sent with the call', name: 'x.pdf' }];
    const result = await begin('FileManager.Import', { context: { currentDocument: path }, blobs });
    expect((await request.get(`${result}/status`).expect(200)).text).toBe('RUNNING');
    await sweepBlobs(server.database, server.blobs, 0);
    await comeBeside();
    await done(result);
    const { body } = await request.get(result).expect(200);
    const file = await request.get(`/api/v1/id/${body.entries?.[0]?.uid ?? body.uid}/@blob/file:content`);
    expect([file.status, String(file.body)]).toEqual([200, 'sent with the call']);
    expect(await childrenOf(path)).toBe(1);
  });

  test('is aborted before it is run, and then never is', async () => {
    const { path } = await createDocument(server, { type: 'Folder' });
    const result = await create(path);
    await request.delete(result).expect(204);
    await request.get(result).expect(404);
    await comeBeside();
    await until(
      async () => (await server.database.prisma.job.count({ where: { kind: executionJob } })) === 0,
    );
    expect(await childrenOf(path)).toBe(0);
  });

  test('has the rights that its caller has when it is run', async () => {
    await createUser(server, 'ann', ['members']);
    const { path } = await createDocument(server, { type: 'Folder' });
    await setAcl(server, path, [grant('ann', 'ReadWrite')]);
    const refused = await create(path, as(server, 'ann'));
    await setAcl(server, path, [grant('ann', 'Read')]);
    await createUser(server, 'chief', ['administrators']);
    const hidden = await begin('Audit.Query', {}, as(server, 'chief'));
    const groups = {
      'entity-type': 'user',
      id: 'chief',
      properties: { username: 'chief', groups: ['members'] },
    };
    await request.put('/api/v1/user/chief').send(groups).expect(200);
    await comeBeside();
    await done(refused);
    await request.get(refused).expect(403);
    await done(hidden);
    await request.get(hidden).expect(403);
    expect(await childrenOf(path)).toBe(0);
  });

  test('is refused when the credentials of its caller have ended, and goes with the user', async () => {
    for (const name of ['ben', 'cid']) await createUser(server, name, ['members']);
    const { path } = await createDocument(server, { type: 'Folder' });
    await setAcl(server, path, [grant('ben', 'ReadWrite'), grant('cid', 'ReadWrite')]);
    const [ended, gone] = [await create(path, as(server, 'ben')), await create(path, as(server, 'cid'))];
    const change = { oldPassword: password, newPassword: 'another-Passw0rd' };
    await as(server, 'ben').put('/api/v1/me/changepassword').send(change).expect(200);
    await deleteUser(server, 'cid');
    await createUser(server, 'cid', ['members']);
    await comeBeside();
    await done(ended);
    expect((await request.get(ended).expect(403)).body.message).toMatch(/credentials of ben were revoked/);
    await request.get(gone).expect(404);
    expect(await childrenOf(path)).toBe(0);
  });

  test('is kept without credentials, and is 503 when it can be read no more', async () => {
    const token = (
      await request
        .get('/authentication/token')
        .query({ applicationName: 'a', deviceId: 'd', permission: 'rw' })
    ).text;
    const address = `${op('Document.Fetch')}/@async?token=${token}`;
    const sent = server.anonymous.post(address).send({ params: { value: '/' } });
    const { headers } = await sent.expect(202);
    const [, result = ''] = /^https?:\/\/[^/]+(.*)\/status$/.exec(headers.location ?? '') ?? [];
    const pending = { repository: 'default', id: idOf(result) };
    const kept = await findPendingExecution(
      { db: server.database, services: { secrets: server.secrets } },
      pending,
    );
    expect(kept).toMatchObject({ request: { credential: { kind: 'login token' } } });
    expect(JSON.stringify(kept)).not.toContain(token);
    await comeBeside({ TOKEN_KEY: 'another key of more than thirty-two bytes' });
    await until(async () => (await request.get(`${result}/status`)).status === 303);
    await request.get(result).expect(404); // sealed under the other key
  });

  test('is 503 when each process ended that ran it', async () => {
    const result = await create('/default-domain/workspaces');
    await server.database.prisma.job.updateMany({ where: { kind: executionJob }, data: { attempts: 6 } });
    await comeBeside();
    await done(result);
    expect((await request.get(result).expect(503)).body.message).toMatch(/process ended during each attempt/);
    await until(
      async () => (await server.database.prisma.job.count({ where: { state: 'set-aside' } })) === 1,
    );
    await server.database.prisma.job.deleteMany({ where: { kind: executionJob } });
  });

  test('is given back by a process that stops, which leaves no trace of it', async () => {
    const { path } = await createDocument(server, { type: 'Folder' });
    const blobs = Array.from({ length: 300 }, (_, index) => ({ content: 'x', name: `${index}.pdf` }));
    const beside = await startBeside(server);
    const result = await begin('FileManager.Import', { context: { currentDocument: path }, blobs });
    const job = () => server.database.prisma.job.findFirst({ where: { kind: executionJob } });
    await until(async () => (await job())?.state === 'running');
    await beside.close();
    expect(await job()).toMatchObject({ state: 'waiting', attempts: 0 });
    expect(await childrenOf(path)).toBe(0);
    await comeBeside();
    await done(result);
    expect(await childrenOf(path)).toBe(300);
  });
});
