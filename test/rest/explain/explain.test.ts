import { beforeAll, describe, expect, test } from '@jest/globals';
import { atId, atPath, createDocument, type DocumentEntity } from '../../support/documents.ts';
import { statements, useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';
import { explained, operationFaults, rowsOf } from './explain.ts';

const server = useServer();
const bob = useUser(server, 'bob');
let folder: DocumentEntity;
let file: DocumentEntity;

beforeAll(async () => {
  folder = await createDocument(server, { type: 'Folder', name: 'explained' });
  file = await createDocument(server, {
    parent: folder.path,
    name: 'a-file',
    properties: { 'file:content': { name: 'a.txt', 'mime-type': 'text/plain', content: 'some text' } },
  });
});

const newFile = (more: object = {}) => ({
  'entity-type': 'document',
  name: 'made',
  type: 'File',
  properties: { 'dc:title': 'Made' },
  ...more,
});

describe('§9 Prefer: explain', () => {
  test('answers the operation, its variables, the statements and the ACE', async () => {
    const found = await explained(
      server.request
        .get(atPath(file.path))
        .set('enrichers.document', 'tags,nosuch')
        .set('properties', 'file'),
    );
    expect(found).toMatchObject({
      status: 200,
      error: null,
      route: { method: 'GET', path: '/path{/*path}' },
      operations: [{ kind: 'query', variables: expect.objectContaining({ path: file.path }) }],
    });
    expect(operationFaults(found)).toEqual([]);
    const [statement] = found.statements;
    expect(statement).toMatchObject({ operation: 0, rows: 1, milliseconds: expect.any(Number) });
    expect(statement?.sql).toMatch(/^SELECT .*\$1/s);
    expect(found.statementCount).toBe(found.statements.length);
    expect(found.permissions).toContainEqual({
      uid: file.uid,
      path: file.path,
      permission: 'Read',
      granted: true,
      reason: 'administrator',
      ace: expect.objectContaining({ username: 'Administrator', permission: 'Everything', granted: true }),
      place: { uid: expect.any(String), path: '/' },
    });
  });

  test('says what each header, and each query parameter in its place, contributes', async () => {
    const call = server.request
      .get(`${atPath(file.path)}?depth=max`)
      .set('enrichers.document', 'tags,nosuch')
      .set('properties', 'file')
      .set('Svc-Transaction-Timeout', '9');
    const { headers } = await explained(call);
    const by = new Map(headers.map((header) => [header.name, header]));
    expect(by.get('enrichers.document')).toMatchObject({ in: 'header', value: 'tags,nosuch', removes: [] });
    expect(by.get('enrichers.document')?.adds).toEqual(['document(path: $path).contextParameters.tags']);
    expect(by.get('properties')?.adds).toEqual([expect.stringContaining('"file"')]);
    expect(by.get('svc-transaction-timeout')).toMatchObject({ sets: { timeout: 9 }, adds: [] });
    expect(by.get('depth')).toMatchObject({ in: 'query', value: 'max', sets: { depth: 3 } });
    expect(by.has('authorization')).toBe(false);
  });

  test('runs a write and undoes it, with the status that its answer would have had', async () => {
    const before = await rowsOf(server);
    const created = await explained(
      server.request.post(atPath(folder.path)).set('X-Versioning-Option', 'MAJOR').send(newFile()),
    );
    expect(created).toMatchObject({ status: 201, operations: [{ kind: 'mutation' }] });
    expect(created.statements.map(({ sql }) => sql).join()).toMatch(/INSERT INTO/);
    const changed = await explained(
      server.request.put(atId(file.uid)).send({ ...newFile(), properties: { 'dc:title': 'Other' } }),
    );
    expect(changed).toMatchObject({ status: 200 });
    expect(changed.permissions).toContainEqual(
      expect.objectContaining({ uid: file.uid, permission: 'WriteProperties' }),
    );
    expect(await explained(server.request.delete(atId(folder.uid)))).toMatchObject({ status: 204 });
    expect(await rowsOf(server)).toEqual(before);
    await server.request.get(`${atPath(folder.path)}/made`).expect(404);
  });

  test('answers errors as the call would, and keeps bugs and addresses without a route out', async () => {
    const missing = await explained(server.request.get(atPath('/nosuch')));
    expect(missing).toMatchObject({
      status: 404,
      error: { code: 'NOT_FOUND', message: 'There is no document at /nosuch.' },
    });
    expect(missing.operations).toHaveLength(1);
    const faulty = await explained(server.request.get(atPath(file.path)).set('depth', 'odd'));
    expect(faulty).toMatchObject({ status: 400, error: { code: 'INVALID' }, headers: [], operations: [] });
    const body = server.request.post(atPath(folder.path)).type('json').send('{');
    expect(await explained(body)).toMatchObject({ status: 400, error: { code: 'INVALID' } });
    const other = await server.request.get('/api/v1/nosuch').set('Prefer', 'explain').expect(404);
    expect(other.body['entity-type']).toBe('exception');
    await server.request.patch(atPath(file.path)).set('Prefer', 'explain').expect(405);
  });

  test('refuses users who are no administrators, and does nothing', async () => {
    const before = await rowsOf(server);
    for (const prefer of ['explain', 'handling=strict, explain', 'return=minimal,Explain ;x=1']) {
      const { body } = await bob.delete(atId(file.uid)).set('Prefer', prefer).expect(403);
      expect(body.message).toBe('Only administrators can use Prefer: explain; bob is not one.');
    }
    await server.anonymous.get(atPath(file.path)).set('Prefer', 'explain').expect(401);
    expect(await rowsOf(server)).toEqual(before);
  });

  test('other preferences explain nothing', async () => {
    for (const prefer of ['explained', 'handling=explain', 'explain=no', 'x;explain']) {
      const { body } = await server.request.get(atPath(file.path)).set('Prefer', prefer).expect(200);
      expect(body['entity-type']).toBe('document');
    }
  });

  test('knows the status of files without sending them', async () => {
    const blob = () => server.request.get(`${atId(file.uid)}/@blob/file:content`);
    expect(await explained(blob())).toMatchObject({ status: 200 });
    expect(await explained(blob().set('Range', 'bytes=0-1'))).toMatchObject({ status: 206 });
    const { headers } = await blob().expect(200);
    expect(await explained(blob().set('If-None-Match', String(headers.etag)))).toMatchObject({ status: 304 });
    expect(await explained(blob().set('If-Match', '"other"'))).toMatchObject({ status: 412 });
    const document = await server.request.get(atId(file.uid)).expect(200);
    const again = server.request.get(atId(file.uid)).set('If-None-Match', String(document.headers.etag));
    expect(await explained(again)).toMatchObject({ status: 304 });
  });

  test('an execution is begun and undone, and an idempotency key stays free', async () => {
    const before = await rowsOf(server);
    const later = server.request.post('/api/v1/automation/Document.Trash/@async').send({ input: file.uid });
    const begun = await explained(later);
    expect(begun).toMatchObject({ status: 202, operations: [{ kind: 'mutation' }] });
    expect(begun.statements).toContainEqual(expect.objectContaining({ name: 'begin-execution', rows: 1 }));
    const keyed = () => server.request.post(atPath(folder.path)).set('Idempotency-Key', 'k1');
    const kept = await explained(keyed().send(newFile()));
    expect(kept.status).toBe(201);
    expect(kept.statements.find(({ sql }) => /^UPDATE .*kept_answer/.test(sql))).toMatchObject({ rows: 1 });
    expect(await rowsOf(server)).toEqual(before);
    const { body } = await keyed()
      .send(newFile({ name: 'keyed' }))
      .expect(201);
    expect(await explained(keyed().send(newFile()))).toMatchObject({ status: 422 });
    await server.request.delete(atId(body.uid)).expect(204);
  });

  test('GraphiQL opens with the operation and its variables, in which no tag can begin', async () => {
    const call = server.request.get(
      `/api/v1/search/lang/NXQL/execute?query=${encodeURIComponent("SELECT * FROM Document WHERE dc:title = '</script>'")}`,
    );
    const { operations } = await explained(call);
    const { pathname, search, searchParams } = new URL(String(operations[0]?.explorer));
    expect([pathname, JSON.parse(String(searchParams.get('variables')))]).toEqual([
      '/graphql',
      operations[0]?.variables,
    ]);
    const page = await server.request
      .get(pathname + search)
      .set('Accept', 'text/html')
      .expect(200);
    expect(page.text.match(/<\/script>/g)).toHaveLength(1);
    expect(page.text).toContain('\\\\u003c/script>');
  });

  test('requests without the header cost what they cost', async () => {
    const cost = async (): Promise<number> =>
      statements(await server.request.get(atId(file.uid)).expect(200));
    await cost();
    const plain = await cost();
    const { statementCount } = await explained(server.request.get(atId(file.uid)));
    expect([statementCount, await cost()]).toEqual([plain, plain]);
  });
});
