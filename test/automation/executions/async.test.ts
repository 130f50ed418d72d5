import { describe, expect, test } from '@jest/globals';
import { createDocument } from '../../support/documents.ts';
import { asText, type Call, callAt } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { as, createUser, deleteUser } from '../../support/users.ts';

const server = useServer();
const { request } = server;

/** The path of an absolute address. */
const pathOf = (address = ''): string => address.replace(/^https?:\/\/[^/]+/, '');

/** Begins an execution; the paths of its status and of its result. */
async function later(
  address: string,
  given: Call,
  who = request,
): Promise<{ status: string; result: string }> {
  const { headers, text } = await callAt(who, `${address}/@async`, given).expect(202);
  expect(text).toBe('');
  const status = pathOf(headers.location);
  return { status, result: status.replace(/\/status$/, '') };
}

/** Waits until it is done. */
const done = ({ status }: { status: string }, who = request) =>
  until(async () => (await who.get(status)).status === 303);

const op = (operation: string) => `/api/v1/automation/${operation}`;

describe('§4.7 POST …/@async', () => {
  test('answers with the address of the status, then with the result of the plain call', async () => {
    const begun = await later(op('Document.Fetch'), { params: { value: '/default-domain' } });
    expect(begun.status).toMatch(
      /^\/api\/v1\/repo\/default\/automation\/Document\.Fetch\/@async\/[\w-]{36}\/status$/,
    );
    await done(begun);
    const { headers } = await request.get(begun.status).expect(303);
    expect(headers.location).toBe(begun.result);
    const plain = await callAt(request, op('Document.Fetch'), { params: { value: '/default-domain' } });
    const kept = await request.get(begun.result).expect(200);
    expect(kept.body).toEqual(plain.body);
    for (const name of ['content-type', 'etag', 'cache-control'])
      expect([name, kept.headers[name]]).toEqual([name, plain.headers[name]]);
    expect((await request.get(begun.result)).body).toEqual(plain.body); // and again
  });

  test.each<[string, string, Call, number]>([
    ['a document', 'Document.GetParent', { input: '/default-domain/workspaces' }, 200],
    ['documents', 'Document.GetChildren', { input: '/default-domain' }, 200],
    ['a user', 'User.Get', { params: { login: 'Administrator' } }, 200],
    ['JSON', 'Tag.Suggestion', { params: { searchTerm: 'x' } }, 200],
    ['nothing', 'Log', { params: { message: 'later' } }, 204],
    ['what is not there', 'Document.GetParent', { input: '/nosuch' }, 404],
    ['what cannot be', 'Document.Create', { input: '/', params: { type: 'Odd' } }, 400],
    [
      'what breaks a rule',
      'Document.Update',
      { input: '/', params: { properties: 'dc:nature=nosuch' } },
      422,
    ],
  ])('%s from %s equals the answer to a plain call', async (_, operation, given, status) => {
    const begun = await later(op(operation), given);
    await done(begun);
    const [plain, kept] = [await callAt(request, op(operation), given), await request.get(begun.result)];
    expect([plain.status, kept.status]).toEqual([status, status]);
    const { requestId: _one, ...expected } = plain.body;
    const { requestId: _other, ...body } = kept.body;
    expect(body).toEqual(expected);
    expect(kept.headers['content-type']).toBe(plain.headers['content-type']);
  });

  test('refuses a faulty call immediately', async () => {
    for (const [operation, given, status] of [
      ['Document.Fetch', {}, 400],
      ['Nosuch', {}, 404],
      ['Document.Fetch', { params: { value: 1 } }, 400],
    ] as const)
      await callAt(request, `${op(operation)}/@async`, given).expect(status);
    await server.anonymous
      .post(`${op('Log')}/@async`)
      .send({})
      .expect(401);
    await request.get(`${op('Log')}/@async`).expect(405);
    await request
      .put(`${op('Log')}/@async/x`)
      .send({})
      .expect(405);
  });

  test('works with @op, in a repository, and with headers that shape the answer', async () => {
    const { uid, path } = await createDocument(server);
    for (const address of [`/api/v1/id/${uid}`, `/api/v1/path${path}`, `/api/v1/repo/default/id/${uid}`]) {
      const sent = callAt(request, `${address}/@op/Document.GetParent/@async`, {});
      const { headers } = await sent
        .set('properties', 'dublincore')
        .set('enrichers.document', 'breadcrumb')
        .expect(202);
      const result = pathOf(headers.location).replace(/\/status$/, '');
      await done({ status: `${result}/status` });
      const { body } = await request.get(result).expect(200);
      expect(body.path).toBe('/default-domain/workspaces');
      expect(Object.keys(body.contextParameters)).toEqual(['breadcrumb']);
      expect(Object.keys(body.properties).every((xpath) => xpath.startsWith('dc:'))).toBe(true);
    }
  });

  test('sends the files of a result on request', async () => {
    const { uid } = await createDocument(server, {
      properties: {
        'file:content': { content: 'main', name: 'é.txt' },
        'files:files': [{ file: { content: 'more' } }],
      },
    });
    const one = await later(op('Document.GetBlob'), { input: uid });
    const all = await later(op('Document.GetBlobs'), { input: uid });
    await done(one);
    await done(all);
    const { text, headers } = await request.get(one.result).expect(200);
    expect(text).toBe('main');
    expect(headers['content-disposition']).toContain("UTF-8''%C3%A9.txt");
    const parts = await asText(request.get(all.result)).expect(200);
    expect(parts.headers['content-type']).toMatch(/^multipart\/mixed/);
    expect(parts.body).toContain('more');
  });

  test('accepts blobs, X-SvcVoidOperation and Idempotency-Key', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    const given = { context: { currentDocument: folder.path }, blobs: [{ content: 'x', name: 'x.pdf' }] };
    const send = () =>
      callAt(request, `${op('FileManager.Import')}/@async`, given)
        .set('X-SvcVoidOperation', 'true')
        .set('Idempotency-Key', 'later')
        .expect(202);
    const [first, again] = [await send(), await send()];
    expect(pathOf(again.headers.location)).toBe(pathOf(first.headers.location)); // their ports differ
    const status = pathOf(first.headers.location);
    await done({ status });
    await request.get(status.replace(/\/status$/, '')).expect(204);
    const { body } = await request.get(`/api/v1/path${folder.path}/@children`).expect(200);
    expect(body.resultsCount).toBe(1);
  });
});

test('§4.7 requests with one Idempotency-Key begin one execution, of an operation that reads too', async () => {
  const at = `${op('Document.Query')}/@async`;
  const send = (query: string) =>
    callAt(request, at, { params: { query } }).set('Idempotency-Key', 'read later');
  const begun = async () => pathOf((await send('SELECT * FROM Domain').expect(202)).headers.location);
  const [first, again] = [await begun(), await begun()];
  expect(again).toBe(first);
  await done({ status: first });
  expect(await begun()).toBe(first);
  await send('SELECT * FROM Note').expect(422);
});

describe('§4.7 access to an execution', () => {
  test('is impossible for operations that are for administrators only', async () => {
    await createUser(server, 'eve', ['members']);
    await callAt(as(server, 'eve'), `${op('Audit.Query')}/@async`, {}).expect(403);
    const begun = await later(op('Audit.Query'), {});
    await done(begun);
    await request.get(begun.result).expect(200);
  });

  test('is limited to the user who began it and to administrators', async () => {
    await createUser(server, 'ann', ['members']);
    await createUser(server, 'ben', ['members']);
    const [ann, ben] = [as(server, 'ann'), as(server, 'ben')];
    const begun = await later(op('Document.Fetch'), { params: { value: '/' } }, ann);
    await done(begun, ann);
    for (const address of [begun.status, begun.result]) {
      await ben.get(address).expect(404);
      await server.anonymous.get(address).expect(401);
      await request.get(address).expect(address === begun.status ? 303 : 200);
    }
    await ben.delete(begun.result).expect(404);
    await request.get(begun.result.replace('Document.Fetch', 'Log')).expect(404);
    await request.get(`${begun.result}%00`).expect(404);
    await ann.delete(begun.result).expect(204);
    for (const address of [begun.status, begun.result]) await ann.get(address).expect(404);
    await ann.delete(begun.result).expect(404);
  });

  test('ends with the deletion of the user', async () => {
    await createUser(server, 'gone', ['members']);
    const gone = as(server, 'gone');
    const begun = await later(op('Document.Fetch'), { params: { value: '/' } }, gone);
    await done(begun, gone);
    await deleteUser(server, 'gone');
    await gone.get(begun.result).expect(401);
  });

  test('does not extend to answers that are stored for an Idempotency-Key', async () => {
    const params = { type: 'File', name: 'keyed' };
    const sent = callAt(request, op('Document.Create'), { input: '/default-domain/workspaces', params });
    await sent.set('Idempotency-Key', 'keyed').expect(200);
    await request.get(`${op('Document.Create')}/@async/keyed`).expect(404);
    await request.delete(`${op('Document.Create')}/@async/keyed`).expect(404);
  });
});

describe('Executions in GraphQL', () => {
  const graphql = async (query: string, variables: object = {}) =>
    (await request.post('/graphql').send({ query, variables }).expect(200)).body;
  const begin = async (operation: string) =>
    (await graphql(`mutation { beginExecution(operation: "${operation}") }`)).data.beginExecution as string;
  const find = (id: string) => `execution(operation: "Log", id: "${id}") { isDone answer }`;

  test('are begun by a mutation and ended by another one with any JSON', async () => {
    const id = await begin('Log');
    expect((await graphql(`{ ${find(id)} }`)).data.execution).toEqual({ isDone: false, answer: null });
    expect((await request.get(`${op('Log')}/@async/${id}/status`).expect(200)).text).toBe('RUNNING');
    const end = 'mutation ($id: ID!, $answer: JSON!) { endExecution(id: $id, answer: $answer) }';
    expect((await graphql(end, { id, answer: { done: 1 } })).data).toEqual({ endExecution: id });
    expect((await graphql(`{ ${find(id)} }`)).data.execution).toEqual({ isDone: true, answer: { done: 1 } });
    expect((await request.get(`${op('Log')}/@async/${id}`).expect(200)).body).toEqual({ done: 1 });
    const again = await graphql(end, { id, answer: {} });
    expect(again.errors[0].extensions.code).toBe('NOT_FOUND');
  });

  test('are aborted by a mutation', async () => {
    const id = await begin('Log');
    await graphql(`mutation { abortExecution(operation: "Log", id: "${id}") }`);
    expect((await graphql(`{ ${find(id)} }`)).data).toEqual({ execution: null });
  });

  test('are not begun for an unknown operation', async () => {
    const { errors } = await graphql('mutation { beginExecution(operation: "Nosuch") }');
    expect(errors[0].extensions.code).toBe('NOT_FOUND');
  });
});
