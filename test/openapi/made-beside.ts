import { enqueueJobs } from '../../src/store/queue/enqueue-jobs.ts';
import { storeSession } from '../../src/store/tokens/sessions.ts';
import { exchange, landed, redirect, register } from '../oauth2/flow.ts';
import { administrator } from '../support/administrator.ts';
import type { TestServer } from '../support/server.ts';

/** A job that is set aside. */
async function failedJob({ database }: TestServer, key: string): Promise<string> {
  const { job } = database.prisma;
  await enqueueJobs({ db: database }, [{ kind: 'test', key }]);
  const { id } = await job.findFirstOrThrow({ where: { key } });
  await job.update({ where: { id }, data: { state: 'set-aside', error: 'it failed', attempts: 3 } });
  return String(id);
}

/** An application that its user granted access, as it is done in a browser. */
async function grantedClient(server: TestServer): Promise<string> {
  const [clientId, fields] = ['reader', { client_id: 'reader', redirect_uri: redirect }];
  await register(server, { clientId, name: 'The reader' });
  const consent = await server.anonymous
    .post('/oauth2/authorize_submit')
    .auth(administrator.username, administrator.password)
    .type('form')
    .send({ ...fields, response_type: 'code', grant_access: '1' })
    .expect(302);
  await exchange(server, landed(consent).code ?? '', fields).expect(200);
  return clientId;
}

/** A session in the console. */
async function session({ database }: TestServer): Promise<string> {
  const signIn = { userId: administrator.username, address: '192.0.2.1', browser: 'Firefox/140.0 (Linux)' };
  return storeSession(database, { ...signIn, endsAt: new Date(Date.now() + 12 * 3_600_000) });
}

/** What no call of REST makes, by the names that examples have for it. */
export const madeBeside = async (server: TestServer) => ({
  failedJob: await failedJob(server, 'first'),
  otherJob: await failedJob(server, 'second'),
  session: await session(server),
  client: await grantedClient(server),
});
