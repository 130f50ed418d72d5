/** @group slow */
import { request as send } from 'node:http';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { atId, atPath, createDocument, documentBody, workspaces } from '../../support/documents.ts';
import { statements, useServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { password, useUser } from '../../support/users.ts';

const kilobyte = 1024;
const share = 2 * 1024 * kilobyte;

// A user holds 2 MB of rows.
const server = useServer({ ANSWER_LIMIT: '256kb', MEMORY_BUDGET: '4mb' });
const { request } = server;
const ann = useUser(server, 'ann', ['members']);
const bob = useUser(server, 'bob', ['members']);
const carl = useUser(server, 'carl', ['members']);

const run = (text: string) => server.database.query({ name: '', text }, []);

const indexed = () => until(async () => (await server.searchIndex.catchUp(server.database)).isCaughtUp);

/** A folder with notes of so many bytes each. */
async function folderOf(count: number, bytes: number, folder = `notes-${count}-${bytes}`): Promise<string> {
  const parent = await createDocument(server, { type: 'Folder', name: folder });
  for (let index = 0; index < count; index += 1)
    await createDocument(server, { parent: parent.path, type: 'Note', name: `${index + 10}` });
  await run(`UPDATE document SET properties = properties || jsonb_build_object('note:note', repeat('x', ${bytes}))
    WHERE parent_id = '${parent.uid}'`);
  await indexed(); // no search waits for large documents that the server itself has written
  return parent.path;
}

const childrenOf = (requests: typeof ann, path: string, query: object = {}) =>
  requests.get(`${atPath(path)}/@children`).query(query);
const few = { properties: 'dublincore' };

/** An enricher needs the whole rows, although the answer is short. */
const wholeRows = { ...few, 'enrichers.document': 'tags' };

async function metric(name: string): Promise<number> {
  const { text } = await request.get('/metrics').expect(200);
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}
const held = () => metric('request_memory_bytes');

beforeEach(() => until(async () => (await held()) === 0));

describe('an answer above ANSWER_LIMIT', () => {
  let path: string;
  beforeAll(async () => {
    path = await folderOf(20, 20 * kilobyte);
  });

  test('is 413 and names a page size that fits', async () => {
    const { body } = await childrenOf(ann, path).expect(413);
    expect(body).toMatchObject({ 'entity-type': 'exception', status: 413 });
    expect(body.message).toMatch(
      /^The response would be larger than 262144 bytes\. It would fit with pageSize=\d+, or with fewer schemas in the header "properties"\.$/,
    );
    const pageSize = Number(/pageSize=(\d+)/.exec(body.message)?.[1]);
    expect(pageSize).toBeGreaterThan(5);
    const page = await childrenOf(ann, path, { pageSize }).expect(200);
    expect(page.body.entries).toHaveLength(pageSize);
    await childrenOf(ann, path, { pageSize: pageSize + 1 }).expect(413);
  });

  test('is 413 before all rows are read, with a page size that fits', async () => {
    const long = await folderOf(40, 40 * kilobyte);
    const query = `SELECT * FROM Document WHERE ecm:path STARTSWITH '${long}'`;
    const pages = [
      (page: object) => childrenOf(ann, long, page),
      (page: object) => ann.get('/api/v1/search/execute').query({ query, ...page }),
    ];
    for (const read of pages) {
      const { body } = await read({}).expect(413);
      const pageSize = Number(/fit with pageSize=(\d+),/.exec(body.message)?.[1]);
      expect(pageSize).toBeGreaterThan(3);
      expect((await read({ pageSize }).expect(200)).body.entries).toHaveLength(pageSize);
    }
  });

  test('is 200 with the schemas that it advises', async () => {
    const { body } = await childrenOf(ann, path).set(few).expect(200);
    expect(body.entries).toHaveLength(20);
  });

  test('is 413 for a search, a page provider and an operation, too', async () => {
    const query = `SELECT * FROM Document WHERE ecm:path STARTSWITH '${path}'`;
    await ann.get('/api/v1/search/execute').query({ query }).expect(413);
    await ann.get('/api/v1/search/execute').query({ query, pageSize: 5 }).expect(200);
    const { uid } = (await ann.get(atPath(path)).expect(200)).body;
    const provider = '/api/v1/search/pp/advanced_document_content/execute';
    await ann.get(provider).query({ ecm_parentId: uid }).expect(413);
    const children = () => ann.post('/api/v1/automation/Document.GetChildren').send({ input: uid });
    await children().set({ properties: '*' }).expect(413);
    await children().set(few).expect(200);
  });

  test('is CSV at any length', async () => {
    const { text } = await childrenOf(ann, path).set({ Accept: 'text/csv' }).expect(200);
    expect(text.length).toBeGreaterThan(20 * 20 * kilobyte);
  });

  test('is 413 in GraphQL', async () => {
    const ask = (pageSize: number) =>
      request.post('/graphql').send({
        query: `{ document(path: "${path}") { children(pageSize: ${pageSize}) { entries { properties } } } }`,
      });
    const { body } = await ask(20).expect(413);
    expect(body.errors).toMatchObject([
      {
        message:
          'The response would be larger than 262144 bytes. Request fewer entries with "pageSize", or fewer fields.',
        extensions: { code: 'TOO_LARGE' },
      },
    ]);
    expect((await ask(5).expect(200)).body.data.document.children.entries).toHaveLength(5);
  });

  test('undoes a write, so that it was not done', async () => {
    const folder = await folderOf(1, 240 * kilobyte);
    const { body: page } = await childrenOf(request, folder).set(few).expect(200);
    const [{ uid }] = page.entries;
    const write = (headers: Record<string, string>) =>
      request
        .put(atId(uid))
        .set(headers)
        .send(documentBody({ properties: { 'note:note': 'y'.repeat(260 * kilobyte) } }));
    await write({}).expect(413);
    const after = await request.get(atId(uid)).expect(200);
    expect(after.body.properties['note:note']).toMatch(/^x/);
    await write(few).expect(200);
    const { body } = await request.get(atId(uid)).expect(413);
    expect(body.message).toMatch(/It may fit with fewer schemas in the header "properties"/);
    await request.get(atId(uid)).set(few).expect(200);
    await childrenOf(request, folder, { pageSize: 1 }).set(few).expect(200);
  });

  test('is measured in bytes: it is sent at the limit and refused above it', async () => {
    const folder = await folderOf(1, 100 * kilobyte, 'exact');
    const { body: before } = await childrenOf(request, folder).expect(200);
    const lay = (bytes: number) =>
      run(`UPDATE document SET properties = properties || jsonb_build_object('note:note', repeat('é', ${bytes / 2}))
        WHERE id = '${before.entries[0].uid}'`);
    const { text } = await childrenOf(request, folder);
    const others = Buffer.byteLength(text) - 100 * kilobyte;
    const room = 256 * kilobyte - others;
    await lay(room - (room % 2));
    const { headers } = await childrenOf(request, folder).expect(200);
    expect(Number(headers['content-length'])).toBe(256 * kilobyte - (room % 2));
    await lay(room - (room % 2) + 2);
    await childrenOf(request, folder).expect(413);
  });
});

describe('lists inside enrichers of a long answer', () => {
  test('are cut and carry resultsCount', async () => {
    const path = await folderOf(30, 15 * kilobyte, 'enriched');
    const { body } = await ann
      .get(atPath(path))
      .set({ 'enrichers.document': 'children, breadcrumb', depth: 'children' })
      .expect(200);
    const { children, breadcrumb } = body.contextParameters;
    expect(children.resultsCount).toBe(30);
    expect(children.entries.length).toBeGreaterThan(8);
    expect(children.entries.length).toBeLessThan(18);
    expect(breadcrumb).not.toHaveProperty('resultsCount');
    expect(breadcrumb.entries.map(({ path: at }: { path: string }) => at)).toContain(workspaces);
  });
});

/** Holds the memory of requests that ask for subscriptions, until its end. */
async function whileBlocked(work: () => Promise<void>): Promise<void> {
  await server.database.transaction(60, async (db) => {
    await db.query({ name: '', text: 'LOCK TABLE subscription IN ACCESS EXCLUSIVE MODE' }, []);
    await work();
  });
}

const blocking = { ...few, 'enrichers.document': 'subscribedNotifications' };

/** Begins a request, which a promise of `supertest` does not by itself. */
function begin<Request extends PromiseLike<unknown>>(request: Request): Request {
  request.then(
    () => {},
    () => {},
  );
  return request;
}

const areHeld = (pages: number) => until(async () => (await held()) > pages * 15 * 100 * kilobyte);

describe('the memory for rows', () => {
  let path: string; // a page of which is 1.5 MB
  beforeAll(async () => {
    path = await folderOf(15, 100 * kilobyte);
  });

  const listing = (requests: typeof ann, headers: Record<string, string> = wholeRows) =>
    childrenOf(requests, path).set(headers);

  test('is held until the answer, and then free', async () => {
    let first: ReturnType<typeof listing> | undefined;
    await whileBlocked(async () => {
      first = begin(listing(ann, blocking));
      await areHeld(1);
    });
    await first?.expect(200);
    await until(async () => (await held()) === 0);
  });

  test('is 503 after a second for a user who holds half of it, while others are served', async () => {
    const refusals = await metric('requests_for_memory_refused_total');
    let first: ReturnType<typeof listing> | undefined;
    await whileBlocked(async () => {
      first = begin(listing(ann, blocking));
      await areHeld(1);
      const [refused, served] = await Promise.all([listing(ann), listing(bob)]);
      expect(refused.status).toBe(503);
      expect(refused.headers['retry-after']).toBe('5');
      expect(refused.body.message).toBe(
        'The server does not have enough free memory for the rows that this request reads. Try again soon.',
      );
      expect(served.status).toBe(200);
      await ann.get(atPath(path)).expect(200); // small reads go on
    });
    await first?.expect(200);
    expect(await metric('requests_for_memory_refused_total')).toBe(refusals + 1);
    await listing(ann).expect(200);
  });

  test('is waited for, and taken when it is free', async () => {
    let first: ReturnType<typeof listing> | undefined;
    let second: ReturnType<typeof listing> | undefined;
    await whileBlocked(async () => {
      first = begin(listing(ann, blocking));
      await areHeld(1);
      second = begin(listing(ann));
    });
    expect((await first)?.status).toBe(200);
    expect((await second)?.status).toBe(200);
  });

  test('is 503 for others when all of it is held', async () => {
    const running: Array<ReturnType<typeof listing>> = [];
    await whileBlocked(async () => {
      for (const requests of [ann, bob]) running.push(begin(listing(requests, blocking)));
      await areHeld(2);
      await listing(carl).expect(503);
    });
    for (const each of running) await each.expect(200);
    await listing(carl).expect(200);
  });

  test('is free after a client has left', async () => {
    const port = await server.listen();
    await whileBlocked(async () => {
      const auth = `ann:${password}`;
      const leaving = send({ port, path: `${atPath(path)}/@children`, auth, headers: blocking }).end();
      leaving.on('error', () => {});
      await areHeld(1);
      leaving.destroy();
    });
    await until(async () => (await held()) === 0);
  });

  test('is free after an error', async () => {
    await childrenOf(ann, path).expect(413); // read, and too long as an answer
    await until(async () => (await held()) === 0);
    const query = `{ document(path: "${path}") { children { entries { properties blob { name } } } } }`;
    await request.post('/graphql').send({ query });
    await until(async () => (await held()) === 0);
  });

  test('costs no statement more', async () => {
    const small = await folderOf(2, 10);
    const [large, other] = [await listing(request), await childrenOf(request, small).set(wholeRows)];
    expect(statements(large)).toBe(statements(other));
  });
});

describe('rows above the half of a user', () => {
  let path: string; // 3 MB
  beforeAll(async () => {
    path = await folderOf(15, 200 * kilobyte);
  });

  test('are 413 before they are read whole, and the page size that is named fits', async () => {
    const { body } = await childrenOf(ann, path).set(wholeRows).expect(413);
    expect(body.message).toMatch(
      /^This request would read more than 2 MB from the database\. Request fewer entries, such as pageSize=\d+, or fewer enrichers\.$/,
    );
    const pageSize = Number(/pageSize=(\d+)/.exec(body.message)?.[1]);
    expect(pageSize * 200 * kilobyte).toBeLessThan(share);
    const page = await childrenOf(ann, path, { pageSize }).set(wholeRows).expect(200);
    expect(page.body.entries).toHaveLength(pageSize);
  });

  test('are 413 for searches and in GraphQL, too', async () => {
    const query = `SELECT * FROM Document WHERE ecm:path STARTSWITH '${path}'`;
    await ann.get('/api/v1/search/execute').query({ query, pageSize: 50 }).set(wholeRows).expect(413);
    const { body } = await request
      .post('/graphql')
      .send({ query: `{ document(path: "${path}") { children { entries { properties } } } }` });
    expect(body.errors).toMatchObject([{ extensions: { code: 'TOO_LARGE' } }]);
  });

  test('leave the connections of other requests as they were', async () => {
    const folder = await folderOf(1, 3 * 1024 * kilobyte);
    const { body } = await request
      .get(`${atPath(folder)}/10`)
      .set(few)
      .expect(413);
    expect(body.message).toContain('would read more than 2 MB');
    const others = Array.from({ length: 20 }, () => ann.get(atPath(workspaces)));
    const large = Array.from({ length: 5 }, () => bob.get(`${atPath(folder)}/10`));
    for (const { status } of await Promise.all(others)) expect(status).toBe(200);
    for (const { status } of await Promise.all(large)) expect(status).toBe(413);
  });
});

describe('large properties that a page does not show', () => {
  let path: string; // 3 MB
  const shown = { 'note:mime_type': 'text/plain', 'dc:description': 'described', 'dc:subjects': ['art'] };
  beforeAll(async () => {
    path = await folderOf(15, 200 * kilobyte, 'unshown');
    await run(`UPDATE document SET properties = properties || '${JSON.stringify(shown)}' || jsonb_build_object(
        'files:files', jsonb_build_array(jsonb_build_object('file', NULL)), 'dc:title', 'Note ' || name)
      WHERE path LIKE '${path}/%'`);
  });

  const query = () =>
    `SELECT * FROM Note WHERE ecm:path STARTSWITH '${path}' AND ecm:isVersion = 0 ORDER BY ecm:name`;
  const pages = {
    '@children': () => childrenOf(ann, path),
    'a search': () => ann.get('/api/v1/search/execute').query({ query: query() }),
    'a page by cursor': () => ann.get('/api/v1/search/execute').query({ query: query(), cursor: '*' }),
    '@search': () => ann.get(`${atPath(path)}/@search`).query({ query: query() }),
    'a page provider': () => ann.get(`${atPath(path)}/@pp/CURRENT_DOC_CHILDREN`),
  };

  test.each(Object.entries(pages))('are not read for %s', async (_, page) => {
    const { body } = await page().set(few).expect(200);
    expect(body.entries).toHaveLength(15);
    for (const entry of body.entries) {
      const whole = await ann.get(atId(entry.uid)).set(few).expect(200);
      expect(entry).toEqual(whole.body);
    }
    await page().set(wholeRows).expect(413);
    const { 'dc:description': description } = body.entries[0].properties;
    expect(description).toBe('described');
  });

  test('leave the other properties of their schema out, too, and no property of another one', async () => {
    const { body } = await childrenOf(ann, path).set({ properties: 'files, dublincore' }).expect(200);
    expect(body.entries[14].properties).toMatchObject({
      'files:files': [{ file: null }],
      'dc:subjects': ['art'],
    });
    await childrenOf(ann, path).set({ properties: 'note' }).expect(413);
    await childrenOf(ann, path).set({ properties: '*' }).expect(413);
  });

  test('change none of the other fields in GraphQL, with fragments, aliases and variables', async () => {
    const { body: schema } = await request.post('/graphql').send({
      query: '{ __type(name: "Document") { fields { name args { name } type { kind ofType { kind } } } } }',
    });
    interface Shown {
      readonly name: string;
      readonly type: { readonly kind: string; readonly ofType: { readonly kind: string } | null };
    }
    const fields = (schema.data.__type.fields as Shown[])
      .filter(({ type }) => [type.kind, type.ofType?.kind].includes('SCALAR'))
      .map(({ name }) => name);
    expect(fields.length).toBeGreaterThan(25);
    const some = fields.filter((name) => name !== 'properties');
    const ask = async (list: string) => {
      const text = `query ($of: [String!]) {
        document(path: "${path}") { children(pageSize: 1) { entries { ${list} } } }
      }
      fragment shown on Document { named: properties(schemas: $of) }`;
      const answer = await request.post('/graphql').send({ query: text, variables: { of: ['dublincore'] } });
      expect(answer.body.errors).toBeUndefined();
      return answer.body.data.document.children.entries;
    };
    for (const name of some) {
      const partly = await ask(`${name} ...shown`);
      const whole = await ask(`${name} ...shown contextParameters { tags }`);
      expect(partly).toEqual(
        whole.map(({ contextParameters, ...others }: Record<string, unknown>) => others),
      );
    }
  });
});

test('a transaction is refused at once, and does nothing', async () => {
  const path = await folderOf(15, 100 * kilobyte, 'in-transactions');
  let first: Promise<unknown> | undefined;
  await whileBlocked(async () => {
    const pending = childrenOf(ann, path).set(blocking);
    first = pending.then(({ status }) => expect(status).toBe(200));
    await areHeld(1);
    const { body } = await ann
      .get(`${atPath(path)}/@children`)
      .set({ ...wholeRows, 'nuxeo-transaction-timeout': '60' })
      .expect(503);
    expect(body.status).toBe(503);
  });
  await first;
});
