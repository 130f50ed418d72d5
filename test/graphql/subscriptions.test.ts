import { EventEmitter, once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'graphql';
import type { Client } from '../../src/db/database.ts';
import { newMeter } from '../../src/db/meter.ts';
import { createSubscriptions, type Subscriber } from '../../src/graphql/subscribe.ts';
import { createLogPoller } from '../../src/loaders/audit/log-poller.ts';
import { schema } from '../../src/schema/index.ts';
import { deny, grant, setAcl } from '../support/acls.ts';
import { startBeside } from '../support/beside.ts';
import { createDocument } from '../support/documents.ts';
import { askGraphql } from '../support/requests.ts';
import { testScope } from '../support/scope.ts';
import { useServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { createUser, password } from '../support/users.ts';
import { type Credentials, type EventStream, useEventStreams } from './event-stream.ts';

interface Events {
  readonly documentEvents: ReadonlyArray<{
    readonly entry: { readonly eventId: string; readonly docPath: string; readonly eventDate: string };
    readonly document: { readonly title: string } | null;
  }>;
}

const query = `subscription ($path: String, $events: [String!]) {
  documentEvents(path: $path, events: $events) { entry { eventId docPath eventDate } document { title } }
}`;

const server = useServer();
const open = useEventStreams(server);

const watch = (variables: object = {}, asked = query, as?: Credentials) => open<Events>(asked, variables, as);

/** Without the events of before, which are told when another transaction on the server has not ended. */
const since = (time: number, { documentEvents }: Events) =>
  documentEvents.filter(({ entry }) => Date.parse(entry.eventDate) >= time);

/** What the next answers tell, until there are so many events. */
async function told({ next, begun }: EventStream<Events>, count: number): Promise<string[]> {
  const found: string[] = [];
  while (found.length < count) {
    const answer = await next();
    if (!answer?.data) throw new Error(`the stream ended: ${JSON.stringify(answer)}`);
    for (const { entry, document } of since(begun, answer.data))
      found.push(`${entry.eventId} ${entry.docPath}${document ? ` ${document.title}` : ''}`);
  }
  return found;
}

const insertEvents = `
  INSERT INTO log_entry (repository, event_id, category, principal_name, doc_uuid, doc_path, event_date)
  SELECT 'default', 'documentCreated', 'eventDocumentCategory', 'x', gen_random_uuid(), $1 || ' ' || n, now()
  FROM generate_series(1, $2::int) n ORDER BY n`;

const createFolders = (parent: string, count: number) =>
  askGraphql(
    server.request,
    `mutation { ${Array.from(
      { length: count },
      (_, index) =>
        `f${index}: createDocument(parentPath: "${parent}", document: {name: "f${index}", type: "Folder"}) { uid }`,
    ).join(' ')} }`,
  );

describe('A subscription to documents', () => {
  test('tells in order what is committed below a path, with the document as it is', async () => {
    await createDocument(server, { parent: '/', type: 'Folder', name: 'seen' });
    const stream = await watch({ path: '/seen' });
    expect([stream.status, stream.type]).toEqual([200, 'text/event-stream']);
    await createDocument(server, { parent: '/', type: 'Folder', name: 'seen-not' });
    await createDocument(server, { parent: '/seen', name: 'a', properties: { 'dc:title': 'A' } });
    expect(await told(stream, 1)).toContain('documentCreated /seen/a A');
    await askGraphql(server.request, 'mutation { deleteDocument(path: "/seen/a") }');
    expect((await told(stream, 1)).at(-1)).toMatch(/^\w+ \/seen\/a$/); // without a title
  });

  test('loses nothing between batches, nor of a transaction that ends after a later one', async () => {
    await createDocument(server, { parent: '/', type: 'Folder', name: 'many' });
    const stream = await watch({ path: '/many', events: ['documentCreated'] });
    const { database } = server;
    const write = (db: Pick<typeof database, 'query'>, name: string, count = 1) =>
      db.query({ name: '', text: insertEvents }, [`/many/${name}`, count]);
    await database.transaction(60, async (db) => {
      await write(db, 'late');
      await write(database, 'early'); // on another connection: it is committed before
      await setTimeout(1_000); // two looks
    });
    const expected = ['early 1', 'late 1'];
    const named = (names: string[]) => names.map((name) => `documentCreated /many/${name}`);
    expect((await told(stream, expected.length)).sort()).toEqual(named(expected));
    await write(database, 'row', 250);
    await write(database, 'last');
    const rows = Array.from({ length: 250 }, (_, index) => `row ${index + 1}`);
    expect(await told(stream, 251)).toEqual(named([...rows, 'last 1']));
  });

  test('refuses a faulty operation and other media types, and frees the place', async () => {
    for (const path of ['/a\\u0000', 'a']) {
      const faulty = await watch({}, `subscription { documentEvents(path: "${path}") { document { uid } } }`);
      const answer = await faulty.next();
      expect(answer?.errors?.[0]?.extensions.code).toBe('INVALID');
    }
    for (let count = 0; count < 11; count += 1) {
      const sent = server.request.post('/graphql').set('Accept', 'application/json').send({ query });
      const { message, extensions } = (await sent.expect(406)).body.errors[0];
      expect([message, extensions.code]).toEqual([
        'Accept must include one of text/event-stream.',
        'NOT_ACCEPTABLE',
      ]);
    }
    await server.anonymous.post('/graphql').set('Accept', 'text/event-stream').send({ query }).expect(401);
  });

  test('is one of ten of a user; a client that leaves frees its place', async () => {
    const streams = [];
    for (let count = 0; count < 10; count += 1) streams.push(await watch());
    const refused = await watch();
    expect([refused.status, refused.retryAfter]).toEqual([429, '30']);
    streams[0]?.leave();
    await until(async () => (await watch()).status === 200);
  });

  test('is one of a hundred of all users', async () => {
    const users = await Promise.all(
      Array.from({ length: 11 }, (_, index) => createUser(server, `reader${index}`, ['administrators'])),
    );
    const statuses: number[] = [];
    const pauses = new Set<string | null>();
    const ten = Array.from({ length: 10 });
    for (const username of users) {
      const streams = await Promise.all(ten.map(() => watch({}, query, { username, password })));
      statuses.push(...streams.map(({ status }) => status));
      for (const { status, retryAfter } of streams) if (status === 503) pauses.add(retryAfter);
    }
    const taken = statuses.filter((status) => status === 200).length;
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
    expect(pauses).toEqual(new Set(['5']));
    expect(taken).toBeLessThanOrEqual(100);
    expect(taken).toBeGreaterThanOrEqual(90); // those of the test before may just be leaving
  });

  test('ends with the credentials, and with the membership of the administrators', async () => {
    await createUser(server, 'amy', ['administrators']);
    const amy = { username: 'amy', password };
    let stream = await watch({}, query, amy);
    await until(async () => {
      if (stream.status === 503) stream = await watch({}, query, amy); // those of the test before are leaving
      return stream.status === 200;
    });
    await server.request
      .put('/api/v1/user/amy')
      .send({ 'entity-type': 'user', id: 'amy', properties: { username: 'amy', groups: ['members'] } })
      .expect(200);
    const answers = [];
    for (let answer = await stream.next(); answer; answer = await stream.next()) answers.push(answer);
    expect(answers.at(-1)?.errors?.[0]?.extensions.code).toBe('FORBIDDEN');
    expect((await watch({}, query, amy)).status).toBe(403);

    await createUser(server, 'ada', ['administrators']);
    const ended = await watch({ path: '/nowhere' }, query, { username: 'ada', password });
    await server.request.delete('/api/v1/user/ada').expect(204);
    expect((await ended.next())?.errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
    expect(await ended.next()).toBeUndefined();
  });

  test('tells what another process has written', async () => {
    const other = await startBeside(server);
    try {
      const stream = await watch({ path: '/beside' });
      await other.request
        .post('/api/v1/path/')
        .send({ 'entity-type': 'document', type: 'Folder', name: 'beside' })
        .expect(201);
      expect(await told(stream, 1)).toContain('documentCreated /beside beside');
    } finally {
      await other.close();
    }
  });
});

test('Who subscribes begins at a look of then, not at one that answers after all others have left', async () => {
  let looks = 0;
  let answered = 0;
  let hold: Promise<unknown> | undefined;
  const query: Client['query'] = async (...asked) => {
    looks += 1;
    const rows = await server.database.query(...asked);
    await hold;
    answered += 1;
    return rows as never;
  };
  const poller = createLogPoller({ query });
  await poller.subscribe();
  const events = new EventEmitter();
  hold = once(events, 'release');
  await until(() => looks === 2);
  poller.unsubscribe();
  events.emit('release');
  await until(() => answered === 2);
  await poller.subscribe();
  expect(looks).toBe(3);
  poller.unsubscribe();
});

describe('A subscription of a user who is no administrator', () => {
  test('tells only of documents that the user may read by then, with statements that do not grow, until the server stops', async () => {
    await createUser(server, 'bea');
    for (const name of ['open', 'shut']) await createDocument(server, { parent: '/', type: 'Folder', name });
    await setAcl(server, '/open', [grant('bea', 'Read')]);
    const scope = testScope(server.database);
    const meter = newMeter();
    const user = { id: 'bea', groups: [], isAdministrator: false };
    const subscriber: Subscriber = {
      caller: { user, meter, options: scope.options },
      identifyAgain: async () => {
        before = meter.statements; // of the batch
        return user;
      },
    };
    let before = 0;
    let isReady = true;
    const subscribe = createSubscriptions(server.services, () => isReady);
    const found = await subscribe(subscriber, { schema, document: parse(query) });
    if (!('next' in found)) throw new Error('it did not begin');
    const begun = Date.now();
    const next = async () => {
      for (;;) {
        const { value } = await found.next();
        const paths = since(begun, value.data as unknown as Events).map(({ entry }) => entry.docPath);
        if (paths.length > 0) return { paths, cost: meter.statements - before };
      }
    };
    await createFolders('/shut', 3);
    await createFolders('/open', 1);
    const one = await next();
    expect(one.paths).toEqual(['/open/f0']);
    await createDocument(server, { parent: '/open', type: 'Folder', name: 'deep' });
    expect((await next()).paths).toEqual(['/open/deep']);
    await createFolders('/open/deep', 30);
    const many = await next();
    expect(many.paths).toHaveLength(30);
    expect(many.cost).toBeLessThanOrEqual(one.cost);
    await setAcl(server, '/open', [deny('bea', 'Everything')]);
    await createFolders('/open/deep/f0', 3);
    await setAcl(server, '/shut', [grant('bea', 'Read')]);
    await createDocument(server, { parent: '/shut', type: 'Folder', name: 'now' });
    const after = await next();
    expect(after.paths.filter((path) => path.startsWith('/open'))).toEqual([]);
    expect(after.paths.some((path) => path.startsWith('/shut'))).toBe(true);
    const jobs = await subscribe(subscriber, {
      schema,
      document: parse('subscription { jobEvents { isGone } }'),
    });
    expect(jobs).toMatchObject({ errors: [{ originalError: { code: 'FORBIDDEN' } }] });
    isReady = false; // the server stops
    expect((await found.next()).done).toBe(true);
  });
});
