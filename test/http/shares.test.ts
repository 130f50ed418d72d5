import { describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { atId, createDocument, missingId } from '../support/documents.ts';
import { mailsOf } from '../support/mails.ts';
import { call } from '../support/requests.ts';
import { startServer, statements, useServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { as, createUser, useUser } from '../support/users.ts';

const server = useServer({ LOGIN_FAILURES: '5' });
const { request } = server;
const bob = useUser(server, 'bob');

const soon = (milliseconds = 86_400_000): string => new Date(Date.now() + milliseconds).toISOString();

interface Link {
  readonly id: string;
  readonly url: string;
  readonly [field: string]: unknown;
}

async function share(id: string, link: Record<string, unknown> = {}, by = request): Promise<Link> {
  const { status, body } = await by.post(`${atId(id)}/@share`).send({ 'entity-type': 'shareLink', ...link });
  expect([status, body.message]).toEqual([201, undefined]);
  return body;
}

const tokenOf = ({ url }: Pick<Link, 'url'>): string => url.split('#')[1] ?? '';

const open = (body: Record<string, unknown>, address?: string) => {
  const sent = server.anonymous.post('/share/open').send(body);
  return address === undefined ? sent : sent.set('X-Forwarded-For', address);
};

/** The requests of a guest whose sign-in was answered. */
function guestOf(response: supertest.Response) {
  const cookie = [response.headers['set-cookie']].flat().map((each) => String(each).split(';')[0]);
  const client = supertest(server.http);
  const send = (method: 'get' | 'post' | 'put' | 'delete', path: string) =>
    client[method](path).set('Cookie', cookie as string[]);
  return {
    send,
    get: (path: string) => send('get', `/share/api/v1${path}`),
    post: (path: string, body: object) => send('post', `/share/api/v1${path}`).send(body),
  };
}

const guestByLink = async (link: Pick<Link, 'url'>, more = {}) =>
  guestOf(await open({ token: tokenOf(link), ...more }).expect(204));

async function folderWithFile() {
  const folder = await createDocument(server, { type: 'Folder', properties: { 'dc:title': 'Plans' } });
  const file = await createDocument(server, {
    parent: folder.path,
    properties: {
      'dc:title': 'Plan',
      'file:content': { content: 'planned words', name: 'plan.txt', 'mime-type': 'text/plain' },
    },
  });
  return { folder, file };
}

describe('a link to a document', () => {
  test('opens the document and what is below it, and nothing else', async () => {
    const { folder, file } = await folderWithFile();
    const other = await createDocument(server);
    const link = await share(folder.uid);
    expect(link).toMatchObject({
      'entity-type': 'shareLink',
      mode: 'read',
      hasPassword: false,
      createdBy: 'Administrator',
      opened: 0,
      lastOpenedAt: null,
      documentId: folder.uid,
      title: 'Plans',
      url: expect.stringMatching(/\/share\/#[\w-]{32}$/),
    });
    const guest = await guestByLink(link);

    const { body: shared } = await guest.get('/shared').expect(200);
    expect(shared.entries).toMatchObject([{ uid: folder.uid, path: folder.name }]);
    const { body: children } = await guest.get(`/id/${folder.uid}/@children`).expect(200);
    expect(children).toMatchObject({ resultsCount: 1, entries: [{ uid: file.uid, path: file.name }] });
    expect((await guest.get(`/id/${file.uid}/@blob`).expect(200)).text).toBe('planned words');
    const { body: shown } = await guest
      .get(`/id/${file.uid}`)
      .set({
        'enrichers.document': 'thumbnail,acls,breadcrumb',
        'fetch.document': 'dc:creator',
        properties: '*',
      })
      .expect(200);
    expect(shown.contextParameters.thumbnail.url).toContain('/share/api/v1/');
    expect(shown.contextParameters.acls).toBeUndefined();
    expect(shown.contextParameters.breadcrumb.entries.map(({ uid }: { uid: string }) => uid)).toEqual([
      folder.uid,
    ]);
    expect(shown.properties['dc:creator']).toBe('Administrator');

    const { body: hidden } = await guest.get(`/id/${other.uid}`).expect(403);
    expect(JSON.stringify(hidden)).not.toContain(other.path);
    await guest.get(`/id/${missingId}`).expect(404);
    expect((await request.get('/api/v1/share')).body.entries).toContainEqual(
      expect.objectContaining({ id: link.id, opened: 1, lastOpenedAt: expect.any(String) }),
    );
  });

  test('does not list or count what is blocked below the document', async () => {
    const { folder, file } = await folderWithFile();
    const blocked = await createDocument(server, { parent: folder.path, type: 'Folder' });
    await call(request, 'Document.BlockPermissionInheritance', { input: blocked.uid });
    const within = await createDocument(server, { parent: blocked.path });
    const guest = await guestByLink(await share(folder.uid));
    const { body } = await guest.get(`/id/${folder.uid}/@children`).expect(200);
    expect([body.resultsCount, body.entries.map(({ uid }: { uid: string }) => uid)]).toEqual([1, [file.uid]]);
    for (const { uid } of [blocked, within]) await guest.get(`/id/${uid}`).expect(403);
  });

  test('lets its guest use the routes for guests only', async () => {
    const { folder, file } = await folderWithFile();
    const guest = await guestByLink(await share(folder.uid));
    const refused = [
      ['get', '/me'],
      ['get', '/user/Administrator'],
      ['get', '/search/execute?query=SELECT * FROM Document'],
      ['get', '/directory/nature'],
      ['get', `/path${folder.path}`],
      ['get', `/id/${folder.uid}/@acl`],
      ['get', `/id/${folder.uid}/@audit`],
      ['get', `/id/${folder.uid}/@share`],
      ['get', '/openapi.json'],
      ['post', '/automation/Document.Query'],
      ['put', `/id/${file.uid}`],
      ['delete', `/id/${file.uid}`],
    ] as const;
    for (const [method, path] of refused) {
      const { status, body } = await guest.send(method, `/share/api/v1${path}`).send({});
      expect([path, status]).toEqual([path, 403]);
      expect(body.message).toMatch(/^Guests cannot use /);
    }
    const explained = await guest.get(`/id/${file.uid}`).set('Prefer', 'explain');
    expect(explained.status).toBe(403);
    // The cookie counts below /share only.
    await guest.send('get', `/api/v1/id/${file.uid}`).expect(401);
    await guest.send('post', '/graphql').send({ query: '{ __typename }' }).expect(401);
  });

  test('lets its guest use eleven routes, none of which searches, suggests or counts other documents', async () => {
    const { folder } = await folderWithFile();
    const guest = await guestByLink(await share(folder.uid));
    const { body: description } = await request.get('/api/v1/openapi.json').expect(200);
    const calls = Object.entries(description.paths as Record<string, object>).flatMap(([path, item]) =>
      (['get', 'post', 'put', 'delete'] as const).flatMap((method) =>
        method in item ? [{ method, path, address: path.replace(/\{[^}]*\}/g, missingId) }] : [],
      ),
    );
    expect(calls.length).toBeGreaterThan(200);
    const allowed: string[] = [];
    for (const { method, path, address } of calls) {
      const { status, body } = await guest.send(method, `/share/api/v1${address}`);
      const isRefused = status === 403 && String(body.message).startsWith('Guests cannot use ');
      if (!isRefused) allowed.push(`${method} ${path}`);
    }
    const document = ['', '/@children', '/@comment', '/@preview', '/@rendition/{rendition}'];
    const blobs = ['/@blob', '/@blob/{xpath}', '/@blob/{xpath}/@preview'];
    expect(allowed.sort()).toEqual(
      [
        'get /shared',
        ...[...document, ...blobs].map((part) => `get /id/{id}${part}`),
        'post /id/{id}',
        'post /id/{id}/@comment',
      ].sort(),
    );
  });

  test('does not let its guest read what Everyone may read', async () => {
    const { folder } = await folderWithFile();
    const open = await createDocument(server);
    await request
      .post(`${atId(open.uid)}/@acl`)
      .send({ username: 'Everyone', permission: 'Read' })
      .expect(201);
    await bob.get(atId(open.uid)).expect(200);
    const guest = await guestByLink(await share(folder.uid));
    await guest.get(`/id/${open.uid}`).expect(403);
  });

  test('never makes browsers ask for a user name: 401 contains no challenge', async () => {
    const { file } = await folderWithFile();
    const token = tokenOf(await share(file.uid, { password: 'a secret' }));
    for (const refused of [
      await server.anonymous.get('/share/api/v1/shared').expect(401),
      await open({ token }).expect(401),
      await open({ token, password: 'wrong' }).expect(401),
      await server.anonymous
        .post('/share/session')
        .send({ email: 'nobody@example.org', code: '1' })
        .expect(401),
    ])
      expect(refused.headers).not.toHaveProperty('www-authenticate');
  });

  test('can need a password, which is limited like the passwords of users', async () => {
    const { file } = await folderWithFile();
    const link = await share(file.uid, { password: 'a secret' });
    expect(link.hasPassword).toBe(true);
    expect(JSON.stringify(link)).not.toContain('a secret');
    const token = tokenOf(link);
    const missing = await open({ token }).expect(401);
    expect(missing.body.message).toBe('This link requires a password.');
    for (let attempt = 1; attempt <= 5; attempt += 1) await open({ token, password: 'wrong' }).expect(401);
    const blocked = await open({ token, password: 'a secret' }).expect(429);
    expect(Number(blocked.headers['retry-after'])).toBeGreaterThan(0);
  });

  test('ends at its end, with its document, and when it is deleted', async () => {
    const { folder, file } = await folderWithFile();
    const brief = await share(file.uid, { end: soon(2_000) });
    const guest = await guestByLink(brief);
    await guest.get(`/id/${file.uid}`).expect(200);
    await new Promise((resolve) => setTimeout(resolve, 3_100)); // ends are whole seconds
    await guest.get(`/id/${file.uid}`).expect(401);
    await open({ token: tokenOf(brief) }).expect(404);

    const link = await share(file.uid);
    const other = await guestByLink(link);
    await request.delete(`/api/v1/share/${link.id}`).expect(204);
    expect((await other.get(`/id/${file.uid}`)).status).toBeGreaterThanOrEqual(401);
    await open({ token: tokenOf(link) }).expect(404);
    await request.delete(`/api/v1/share/${link.id}`).expect(404);
    const { body: acls } = await request.get(`${atId(file.uid)}/@acl`);
    expect(JSON.stringify(acls)).not.toContain(link.id);

    const last = await share(folder.uid);
    await request.delete(atId(folder.uid)).expect(204);
    await open({ token: tokenOf(last) }).expect(404);
  });

  test('does not open a copy of its document', async () => {
    const { file } = await folderWithFile();
    const guest = await guestByLink(await share(file.uid));
    const target = await createDocument(server, { type: 'Folder' });
    const { body: copy } = await call(request, 'Document.Copy', {
      input: file.uid,
      params: { target: target.uid, name: 'copy' },
    });
    await guest.get(`/id/${copy.uid}`).expect(403);
  });

  test('lets its guest comment or upload only if it says so', async () => {
    const { folder, file } = await folderWithFile();
    const text = { 'entity-type': 'comment', text: 'Fine' };
    const upload = { 'entity-type': 'document', type: 'File', name: 'up', properties: { 'dc:title': 'Up' } };
    const reader = await guestByLink(await share(folder.uid));
    await reader.post(`/id/${file.uid}/@comment`, text).expect(403);
    await reader.post(`/id/${folder.uid}`, upload).expect(403);

    const commenter = await guestByLink(await share(folder.uid, { mode: 'comment' }));
    const { body: comment } = await commenter.post(`/id/${file.uid}/@comment`, text).expect(201);
    await commenter.post(`/id/${comment.id}/@comment`, text).expect(201);
    expect((await commenter.get(`/id/${file.uid}/@comment`)).body.totalSize).toBe(1);
    await commenter.post(`/id/${folder.uid}`, upload).expect(403);

    const uploader = await guestByLink(await share(folder.uid, { mode: 'upload' }));
    const { body: made } = await uploader
      .send('post', `/share/api/v1/id/${folder.uid}`)
      .field('document', JSON.stringify(upload))
      .attach('file', Buffer.from('sent by a guest'), { filename: 'up.txt', contentType: 'text/plain' })
      .expect(201);
    expect((await uploader.get(`/id/${made.uid}/@blob`)).text).toBe('sent by a guest');
    await uploader.post(`/id/${file.uid}/@comment`, text).expect(403);
  });

  test('lets its guest neither notify users by mentioning them nor learn which users exist', async () => {
    const { folder, file } = await folderWithFile();
    await createUser(server, 'mentioned', ['members']);
    const data = { properties: { email: 'mentioned@example.org' } };
    await server.database.prisma.user.update({ where: { id: 'mentioned' }, data });
    await createUser(server, 'stranger');
    const guest = await guestByLink(await share(folder.uid, { mode: 'comment' }));
    const text = 'Hello @mentioned and @stranger';
    const { body } = await guest
      .post(`/id/${file.uid}/@comment`, { 'entity-type': 'comment', text })
      .expect(201);
    expect(body).toMatchObject({ text });
    expect(body).not.toHaveProperty('mentionsWithoutAccess');
    expect((await mailsOf(server)).flatMap(({ to }) => to)).not.toContain('mentioned@example.org');
    const logged = await server.database.prisma.logEntry.findFirstOrThrow({
      where: { docUuid: file.uid, eventId: 'commentAdded' },
    });
    expect(logged.concerns).toEqual([]);
  });

  test('is created and deleted by users with WriteSecurity only, and its fields are checked', async () => {
    const { folder, file } = await folderWithFile();
    await request
      .post(`${atId(folder.uid)}/@acl`)
      .send({ username: 'bob', permission: 'Read' })
      .expect(201);
    const byBob = bob;
    await byBob
      .post(`${atId(folder.uid)}/@share`)
      .send({})
      .expect(403);
    await byBob.get(`${atId(folder.uid)}/@share`).expect(403);
    const link = await share(folder.uid);
    await byBob.delete(`/api/v1/share/${link.id}`).expect(403);
    expect((await byBob.get('/api/v1/share').expect(200)).body.entries).toEqual([]);
    expect((await byBob.get('/api/v1/shared').expect(200)).body.entries).toMatchObject([{ uid: folder.uid }]);

    for (const [faulty, message] of [
      [{ mode: 'write' }, /^mode /],
      [{ end: 'tomorrow' }, /^end: /],
      [{ end: '2020-01-01T00:00:00Z' }, /^end must be in the future; got /],
      [{ password: 'x'.repeat(201) }, /^password .*200/],
      [{ mode: 'upload' }, /not a folder/],
    ] as const) {
      const { status, body } = await request
        .post(`${atId(file.uid)}/@share`)
        .send({ 'entity-type': 'shareLink', ...faulty });
      expect([faulty, status, body.message]).toEqual([faulty, 400, expect.stringMatching(message)]);
    }
    expect((await request.get(`${atId(file.uid)}/@share`)).body.entries).toEqual([]);
    const { body: listed } = await request.get(`${atId(folder.uid)}/@share`).expect(200);
    expect(listed).toMatchObject({ 'entity-type': 'shareLinks', entries: [{ id: link.id }] });
    expect(listed.entries[0]).not.toHaveProperty('url');
  });

  test('cannot be guessed', async () => {
    for (const body of [{}, { token: '' }, { token: 'x'.repeat(101) }, { token: 7 }])
      await open(body).expect(400);
    const { status } = await open({ token: 'nothing' });
    expect(status).toBe(404);
    await server.anonymous.get('/share/open').expect(405);
    await server.anonymous
      .post('/share/open')
      .set('Sec-Fetch-Site', 'cross-site')
      .send({ token: 'x' })
      .expect(403);
  });
});

describe('a guest with an e-mail address', () => {
  const codeIn = async (address: string): Promise<string | undefined> => {
    const mail = (await mailsOf(server)).find(({ to, subject }) => to[0] === address && /code/.test(subject));
    return /\b\d{8}\b/.exec(mail?.text ?? '')?.[0];
  };
  const post = (path: string, body: object) => server.anonymous.post(`/share/${path}`).send(body);

  test('signs in with a code from a mail, once, and sees what ACEs open', async () => {
    const { folder, file } = await folderWithFile();
    const email = 'guest@example.org';
    await request
      .post(`${atId(folder.uid)}/@acl`)
      .send({ username: email, permission: 'Read', end: soon(), notify: true })
      .expect(201);
    const [notice] = await mailsOf(server);
    expect(notice?.text).toMatch(/\/share\/$/m);

    await post('code', { email: 'Guest@Example.org' }).expect(204);
    const code = await codeIn(email);
    expect(code).toBeDefined();
    await post('code', { email }).expect(204); // within a minute, no other code is sent
    expect(await codeIn(email)).toBe(code);
    const wrong = code === '00000000' ? '00000001' : '00000000';
    await post('session', { email, code: wrong }).expect(401);
    const guest = guestOf(await post('session', { email, code }).expect(204));
    await post('session', { email, code }).expect(401);
    expect((await guest.get('/shared')).body.entries).toMatchObject([{ uid: folder.uid }]);
    await guest.get(`/id/${file.uid}`).expect(200);
    await guest.get('/me').expect(403);
    await guest.send('post', '/share/end').expect(204);
  });

  test('gets no code unless something is shared with the address', async () => {
    await post('code', { email: 'stranger@example.org' }).expect(204);
    expect(await codeIn('stranger@example.org')).toBeUndefined();
    await post('session', { email: 'stranger@example.org', code: '123456' }).expect(401);
    await post('code', { email: 'no address' }).expect(400);
  });
});

test('the code of a guest is worth nothing after five wrong ones', async () => {
  await using other = await startServer({ LOGIN_FAILURES: '1000' });
  const { uid } = await createDocument(other);
  const email = 'guessed@example.org';
  await other.request
    .post(`${atId(uid)}/@acl`)
    .send({ username: email, permission: 'Read', end: soon() })
    .expect(201);
  const codeAgain = async (): Promise<string> => {
    await other.database.prisma.guestCode.deleteMany(); // as if a minute had passed
    await other.anonymous.post('/share/code').send({ email }).expect(204);
    const [mail] = await mailsOf(other);
    return /\b\d{8}\b/.exec(mail?.text ?? '')?.[0] ?? '';
  };
  const enter = (code: string) => other.anonymous.post('/share/session').send({ email, code });
  const code = await codeAgain();
  const wrong = code === '00000000' ? '00000001' : '00000000';
  for (let attempt = 1; attempt <= 5; attempt += 1) await enter(wrong).expect(401);
  await enter(code).expect(401);
  await enter(await codeAgain()).expect(204);
});

describe('the list of links and guests', () => {
  const ask = async (query: string, variables: object = {}, by = request) =>
    (await by.post('/graphql').send({ query, variables })).body;
  const listQuery = `query ($cursor: String, $pageSize: Int, $isOwn: Boolean) {
    shares(cursor: $cursor, pageSize: $pageSize, isOwn: $isOwn) { resultsCount nextCursor entries {
      id guest mode permissions documentId document { title } end hasEnded hasPassword createdBy opened } } }`;
  interface Entry {
    readonly id: string;
    readonly documentId: string;
  }
  const list = async (variables: object = {}, by = request) =>
    (await ask(listQuery, { pageSize: 1000, ...variables }, by)).data.shares as {
      readonly resultsCount: number;
      readonly nextCursor: string | null;
      readonly entries: readonly Entry[];
    };
  const entriesOf = async (id: string) =>
    (await list()).entries.filter(({ documentId }) => documentId === id);
  const invite = (id: string, username: string, permission: string, end: string) =>
    request
      .post(`${atId(id)}/@acl`)
      .send({ username, permission, end })
      .expect(201);
  const revoke = (id: string) => ask('mutation ($id: ID!) { revokeShare(id: $id) }', { id });

  test('shows guests no names of other guests, which contain email addresses', async () => {
    const { folder, file } = await folderWithFile();
    const email = 'writer@example.org';
    for (const permission of ['ReadWrite', 'Comment']) await invite(folder.uid, email, permission, soon());
    await server.anonymous.post('/share/code').send({ email }).expect(204);
    const code = /\b\d{8}\b/.exec((await mailsOf(server)).find(({ to }) => to[0] === email)?.text ?? '')?.[0];
    const writer = guestOf(await server.anonymous.post('/share/session').send({ email, code }).expect(204));
    await writer.post(`/id/${file.uid}/@comment`, { 'entity-type': 'comment', text: 'Mine' }).expect(201);
    const made = await writer.post(`/id/${folder.uid}`, {
      'entity-type': 'document',
      type: 'File',
      name: 'made',
      properties: { 'dc:title': 'Made' },
    });
    expect(made.status).toBe(201);
    const reader = await guestByLink(await share(folder.uid));
    const seenBy = async (guest: typeof reader) => {
      const comments = await guest.get(`/id/${file.uid}/@comment`).expect(200);
      const document = await guest.get(`/id/${made.body.uid}`).set('properties', '*').expect(200);
      return { author: comments.body.entries[0].author, ...document.body.properties };
    };
    const other = await seenBy(reader);
    expect(JSON.stringify(other)).not.toContain('example.org');
    expect(other).toMatchObject({
      author: 'transient/guest',
      'dc:creator': 'transient/guest',
      'dc:contributors': ['transient/guest'],
    });
    expect((await seenBy(writer)).author).toContain(email);
  });

  test('has one entry for each link and each guest of a document, and revokes them', async () => {
    const { folder, file } = await folderWithFile();
    const link = await share(folder.uid, { mode: 'upload', password: 'x', end: soon(2 * 86_400_000) });
    const email = 'listed@example.org';
    await invite(folder.uid, email, 'Read', soon());
    await invite(folder.uid, email, 'Comment', soon(60_000));
    await invite(folder.uid, 'bob', 'Read', soon());
    const common = {
      documentId: folder.uid,
      document: { title: 'Plans' },
      hasEnded: false,
      createdBy: 'Administrator',
    };
    const entries = await entriesOf(folder.uid);
    expect(entries).toEqual([
      {
        ...common,
        id: link.id,
        guest: null,
        mode: 'upload',
        permissions: ['Read', 'AddChildren'],
        end: link.end,
        hasPassword: true,
        opened: 0,
      },
      {
        ...common,
        id: expect.stringContaining(folder.uid),
        guest: email,
        mode: null,
        permissions: ['Comment', 'Read'],
        end: expect.any(String),
        hasPassword: false,
        opened: null,
      },
    ]);
    const [, guest] = entries;
    await server.anonymous.post('/share/code').send({ email }).expect(204);
    const code = /\b\d{8}\b/.exec((await mailsOf(server)).find(({ to }) => to[0] === email)?.text ?? '')?.[0];
    const visitor = guestOf(await server.anonymous.post('/share/session').send({ email, code }).expect(204));
    await visitor.get(`/id/${file.uid}`).expect(200);
    expect((await revoke(guest?.id ?? '')).data).toEqual({ revokeShare: guest?.id });
    await visitor.get(`/id/${file.uid}`).expect(403);
    expect((await revoke(link.id)).data).toEqual({ revokeShare: link.id });
    expect(await entriesOf(folder.uid)).toEqual([]);
    const { body: acls } = await request.get(`${atId(folder.uid)}/@acl`);
    expect(JSON.stringify(acls)).toContain('"bob"');
    for (const id of [guest?.id ?? '', link.id, 'x', `${folder.uid}:bob`])
      expect((await revoke(id)).errors[0].extensions.code).toBe('NOT_FOUND');
  });

  test('is paged with those that have ended last, and shows their own to administrators who ask', async () => {
    const { folder, file } = await folderWithFile();
    const ended = await share(file.uid);
    await server.database.prisma.shareLink.update({
      where: { id: ended.id },
      data: { endsAt: new Date(Date.now() - 86_400_000) },
    });
    const last = await share(folder.uid, { end: soon(400 * 86_400_000) });
    const whole = await list();
    expect(whole.entries[0]).toMatchObject({ id: last.id });
    expect(whole.entries.find(({ id }) => id === ended.id)).toMatchObject({ hasEnded: true });
    const read: string[] = [];
    for (let cursor: string | null = '*'; cursor; ) {
      const page: Awaited<ReturnType<typeof list>> = await list({ cursor, pageSize: 2 });
      expect(page.resultsCount).toBe(whole.resultsCount);
      read.push(...page.entries.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    expect(read).toEqual(whole.entries.map(({ id }) => id));
    await createUser(server, 'sharer', ['administrators']);
    const sharer = as(server, 'sharer');
    const own = await share(folder.uid, {}, sharer);
    expect((await list({ isOwn: true }, sharer)).entries).toMatchObject([{ id: own.id }]);
    expect((await list({}, sharer)).resultsCount).toBe(whole.resultsCount + 1);
  });

  test('is read with a constant number of statements', async () => {
    const count = async (entries: number) => {
      for (let nth = 0; nth < entries; nth += 1) {
        const { uid } = await createDocument(server);
        await share(uid);
        await invite(uid, `guest-${nth}@example.org`, 'Read', soon());
      }
      return statements(
        await request.post('/graphql').send({ query: listQuery, variables: { pageSize: 100 } }),
      );
    };
    const few = await count(1);
    expect(await count(5)).toBe(few);
  });
});

describe('the daily jobs', () => {
  test('delete links that ended long ago, with their ACLs, and old codes', async () => {
    const { file } = await folderWithFile();
    const [old, recent] = [await share(file.uid), await share(file.uid)];
    const { shareLink, guestCode } = server.database.prisma;
    const ago = (days: number) => new Date(Date.now() - days * 86_400_000);
    await shareLink.update({ where: { id: old.id }, data: { endsAt: ago(31) } });
    await shareLink.update({ where: { id: recent.id }, data: { endsAt: ago(29) } });
    await guestCode.createMany({
      data: [2, 0].map((days) => ({ guest: `transient/${days}`, codeHash: 'x', sentAt: ago(days) })),
    });
    const stop = await server.startJobs();
    await until(async () => (await shareLink.count({ where: { id: old.id } })) === 0);
    await until(async () => (await guestCode.count({ where: { guest: 'transient/2' } })) === 0);
    await stop();
    const { body: acls } = await request.get(`${atId(file.uid)}/@acl`);
    expect(JSON.stringify(acls)).not.toContain(old.id);
    expect(JSON.stringify(acls)).toContain(recent.id);
    expect(await guestCode.count({ where: { guest: 'transient/0' } })).toBe(1);
  });
});

test('the links of a page are read with a constant number of statements', async () => {
  const count = async (links: number) => {
    const { uid } = await createDocument(server);
    for (let nth = 0; nth < links; nth += 1) await share(uid);
    return statements(await request.get(`${atId(uid)}/@share`).expect(200));
  };
  expect(await count(6)).toBe(await count(2));
});
