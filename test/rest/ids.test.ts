import { beforeAll, describe, expect, test } from '@jest/globals';
import { routes } from '../../src/rest/routes.ts';
import { atId, documentBody } from '../support/documents.ts';
import { pdfOf } from '../support/made-files.ts';
import { useServer } from '../support/server.ts';
import { as, useUser } from '../support/users.ts';
import { createBinary } from './blobs/blob-requests.ts';
import { comment } from './comments/comment-requests.ts';
import { acquiring } from './tokens/token-requests.ts';
import { reviewing } from './workflows/workflow-requests.ts';

const server = useServer();
const { request } = server;
const { start, only } = reviewing(server);

/** The UUIDs of the fixtures, by the part of a path that names their kind. */
const ids: Record<string, string> = {};

const saved = { 'entity-type': 'savedSearch', title: 'Mine', pageProviderName: 'simple_search' };
const hook = { 'entity-type': 'webhook', url: 'https://example.org/hook' };
const anything = "SELECT * FROM File WHERE dc:title = 'none'";

const bulkAction = async (): Promise<string> => {
  const sent = request.post('/api/v1/search/bulk/csvExport').query({ query: anything }).send({});
  return (await sent.expect(202)).body.commandId;
};

async function reviewed() {
  const { uid } = await createBinary(server, pdfOf('Hello'), { name: 'a.pdf', mimeType: 'application/pdf' });
  const { body } = await start('Administrator', 'SerialDocumentReview', [uid]).expect(201);
  return { uid, workflow: body.id, task: (await only(body)).id };
}

useUser(server, 'bob');
beforeAll(async () => {
  const { uid, workflow, task } = await reviewed();
  const annotation = await request.post(`${atId(uid)}/@annotation`).send({
    'entity-type': 'annotation',
    parentId: uid,
    text: 'Here',
    xpath: 'file:content',
    entityId: 'A1',
    entity: '<a/>',
  });
  const scheduled = await request
    .post(`${atId(uid)}/@convert`)
    .type('form')
    .send({ type: 'text/plain', async: 'true' })
    .expect(202);
  Object.assign(ids, {
    '/id/:id': uid,
    '/bulk;:matrix': `id=${uid}`,
    '@comment/:comment': (await comment(request, uid, 'Nice', { entityId: 'C1', entity: '<c/>' })).id,
    '@annotation/:comment': annotation.body.id,
    ':workflow': workflow,
    ':task': task,
    '/conversion/:id': scheduled.body.conversionId,
    '/conversions/:id': scheduled.body.conversionId,
    '/search/saved/:id': (await request.post('/api/v1/search/saved').send(saved).expect(201)).body.id,
    '/bulk/:id': await bulkAction(),
  });
  names['{/*path}'] = (await request.get(atId(uid)).expect(200)).body.path;
});

/** What is no UUID in the paths of the table. */
const names: Record<string, string> = {
  ':rendition': 'xmlExport',
  '*xpath': 'file:content',
  ':object': 'BusinessBeanAdapter',
  '@comment/external/:entity': '@comment/external/C1',
  '@annotation/external/:entity': '@annotation/external/A1',
  ':name': 'default_search',
};

/** The address of a row, with its UUIDs in this case. */
const filled = (path: string, written: (id: string) => string): string =>
  Object.entries({ ...names, ...ids }).reduce((address, [part, value]) => {
    const [given, kept] = [part in ids ? written(value) : value, part.replace(/:\w+$/, '')];
    return address.replace(part, part in ids ? kept + given : given);
  }, path);

const queries: Record<string, object> = {
  '@convert': { type: 'text/plain' },
  '@emptyWithDefault': { type: 'File' },
  '@search': { fullText: 'none' },
};

// Ids of batches, executions and kept files are texts, and jobs have numbers.
const isElsewhere = (path: string): boolean => /@op|execute\/|\/upload\/|@async|\/automation\//.test(path);

const reads = routes
  .filter(({ method, path }) => method === 'get' && /:(id|comment|workflow|task|matrix)\b/.test(path))
  .map(({ path }) => path)
  .filter((path) => !isElsewhere(path) && !path.includes('@bo'));

const answerOf = async (address: string) => {
  const { status, body } = await request
    .get(`/api/v1${address}`)
    .query(queries[/@\w+$/.exec(address)?.[0] ?? ''] ?? {});
  return { status, message: body?.message?.toLowerCase() };
};

describe('§4.8 an id in upper case is the same id', () => {
  test.each(reads)('GET %s', async (path) => {
    const upper = filled(path, (id) => id.replace(/[\da-f-]{36}/, (uuid) => uuid.toUpperCase()));
    expect(upper).not.toMatch(/[:*]\w+\b(?<!:content)/);
    const lower = await answerOf(filled(path, (id) => id));
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

    const one = (await request.post('/api/v1/search/saved').send(saved).expect(201)).body.id;
    await request
      .put(`/api/v1/search/saved/${up(one)}`)
      .send({ ...saved, title: 'Changed', id: one })
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
