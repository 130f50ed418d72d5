import { describe, expect, test } from '@jest/globals';
import { routes } from '../../src/rest/routes.ts';
import { atId, documentBody } from '../support/documents.ts';
import { useServer } from '../support/server.ts';
import { as, useUser } from '../support/users.ts';
import { filledAddresses, queryOf, savedSearch } from './filled-addresses.ts';
import { acquiring } from './tokens/token-requests.ts';
import { reviewing } from './workflows/workflow-requests.ts';

const server = useServer();
const { request } = server;
const { only } = reviewing(server);
const { filled, reviewed, bulkAction } = filledAddresses(server);
useUser(server, 'bob');

const hook = { 'entity-type': 'webhook', url: 'https://example.org/hook' };

// Ids of batches, executions and kept files are texts, and jobs have numbers.
const isElsewhere = (path: string): boolean => /@op|execute\/|\/upload\/|@async|\/automation\//.test(path);

const reads = routes
  .filter(({ method, path }) => method === 'get' && /:(id|comment|workflow|task|matrix)\b/.test(path))
  .map(({ path }) => path)
  .filter((path) => !isElsewhere(path));

const answerOf = async (address: string) => {
  const { status, body } = await request.get(`/api/v1${address}`).query(queryOf(address));
  return { status, message: body?.message?.toLowerCase() };
};

describe('§4.8 an id in upper case is the same id', () => {
  test.each(reads)('GET %s', async (path) => {
    const upper = filled(path, (id) => id.replace(/[\da-f-]{36}/, (uuid) => uuid.toUpperCase()));
    expect(upper).not.toMatch(/[:*]\w+\b(?<!:content)/);
    const lower = await answerOf(filled(path));
    if (!path.endsWith('/result')) expect(lower.status).toBeLessThan(400);
    expect(await answerOf(upper)).toEqual(lower);
  });

  test('in changes and deletions too', async () => {
    const { uid, workflow, task } = await reviewed();
    const up = (id: string) => id.toUpperCase();
    const variables = { participants: ['Administrator'] };
    const ending = { 'entity-type': 'task', id: task, variables };
    await request
      .put(`/api/v1/task/${up(task)}/start_review`)
      .send(ending)
      .expect(200);
    await request
      .put(`/api/v1/task/${up((await only({ id: workflow })).id)}/delegate?delegatedActors=bob`)
      .expect(200);
    await request.delete(`/api/v1/workflow/${up(workflow)}`).expect(204);
    const second = await reviewed();

    const change = documentBody({ properties: { 'dc:title': 'Both' } });
    const both = `/api/v1/bulk;id=${up(uid)};id=${uid};id=${up(second.uid)}`;
    const { body: changed } = await request.put(both).send(change).expect(200);
    expect(changed.entries).toHaveLength(2);
    const { body: read } = await request.get(both).expect(200);
    expect(read.entries.map(({ title }: { title: string }) => title)).toEqual(['Both', 'Both']);
    await request.delete(both).expect(204);
    await request.get(atId(up(uid))).expect(404);

    const one = (await request.post('/api/v1/search/saved').send(savedSearch).expect(201)).body.id;
    await request
      .put(`/api/v1/search/saved/${up(one)}`)
      .send({ ...savedSearch, title: 'Changed', id: one })
      .expect(200);
    await request.delete(`/api/v1/search/saved/${up(one)}`).expect(204);
    await request.put(`/api/v1/bulk/${up(await bulkAction())}/abort`).expect(200);

    const { body: webhook } = await request.post('/api/v1/management/webhooks').send(hook).expect(201);
    const at = `/api/v1/management/webhooks/${up(webhook.id)}`;
    await request
      .put(at)
      .send({ ...hook, enabled: false })
      .expect(200);
    await request.delete(at).expect(204);
  });

  test('of a token, as an entry of its directory and where it is revoked', async () => {
    await acquiring(server).tokenOf('bob', 'd1');
    const { body } = await as(server, 'bob').get('/api/v1/token').expect(200);
    const [token] = body.entries;
    await as(server, 'bob').delete(`/api/v1/token/${token.id.toUpperCase()}`).expect(204);
  });
});
