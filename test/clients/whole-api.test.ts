/** @group slow */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type Nuxeo from 'nuxeo';
import type { Document, Task } from 'nuxeo';
import { administrator } from '../support/administrator.ts';
import { jwtSecret } from '../support/authentication.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { refusalOf, statusOf } from './connected.ts';
import { type Recorded, recordedClient, versions } from './recorded.ts';

const workspaces = '/default-domain/workspaces';
const me = administrator.username;

describe.each(versions)('§5 the whole interface of the JavaScript client %s', (version) => {
  let server: TestServer;
  let recorded: Recorded;
  let baseURL: string;
  let client: Nuxeo;
  let file: Document;
  const clientWith = (auth: Record<string, unknown> | null) => new recorded.Client({ baseURL, auth });
  const blob = (name: string) => {
    const content = Buffer.from(`bytes of ${name}`);
    return new recorded.Client.Blob({ content, name, mimeType: 'text/plain', size: content.length });
  };
  const make = (name: string, type = 'File') =>
    client.repository().create(workspaces, { type, name, properties: { 'dc:title': name } });

  beforeAll(async () => {
    recorded = recordedClient(version);
    server = await startServer({ CONTEXT_PATH: '/nuxeo', JWT_SECRET: jwtSecret });
    baseURL = `http://127.0.0.1:${await server.listen()}/nuxeo/`;
    client = clientWith({ method: 'basic', ...administrator });
    await client.login();
    file = await make('file');
  });
  afterAll(() => server.stop());

  test('logs in', async () => {
    if ('connect' in client) expect(await client.connect()).toBe(client);
    expect([client.connected, client.user.id]).toEqual([true, me]);
  });

  test('shapes answers', async () => {
    const asked = client
      .repository('default')
      .repositoryName('default')
      .schemas(['dublincore'])
      .enrichers({ document: ['acls'] })
      .enricher('document', 'permissions')
      .fetchProperties({ document: ['dc:creator'] })
      .fetchProperty('document', 'dc:nature')
      .depth('max')
      .headers({ source: 'test' })
      .header('X-Other', 'kept')
      .timeout(10_000)
      .transactionTimeout(10)
      .httpTimeout(20_000);
    if ('translateProperties' in asked)
      asked.translateProperties({ directoryEntry: ['label'] }).translateProperty('directoryEntry', 'parent');
    const { properties, contextParameters } = await asked.fetch(file.uid);
    expect(Object.keys(properties).every((name) => name.startsWith('dc:'))).toBe(true);
    expect(properties['dc:creator']).toMatchObject({ 'entity-type': 'user', id: me });
    expect(Object.keys(contextParameters).sort()).toEqual(['acls', 'permissions']);
  });

  test('creates, reads, changes, finds and deletes documents', async () => {
    const repository = client.repository();
    const note = await make('note', 'Note');
    expect(note.isFolder()).toBe(false);
    if ('hasFacet' in note)
      expect([note.hasFacet('Versionable'), note.isCollection(), note.isCollectable()]).toEqual([
        true,
        false,
        true,
      ]);
    const saved = await note.set({ 'dc:title': 'changed' }).save();
    expect(saved.get('dc:title')).toBe('changed');
    if ('toJSON' in saved) expect(JSON.parse(JSON.stringify(saved)).title).toBe('changed');
    const query = `SELECT * FROM Note WHERE dc:title = 'changed' AND ecm:isVersion = 0`;
    expect((await repository.query({ query })).entries.map(({ uid }) => uid)).toEqual([note.uid]);
    const root = (await repository.fetch('/')).uid;
    const listed = { pageProvider: 'advanced_document_content', queryParams: root, pageSize: 1 };
    expect((await repository.query(listed)).entries).toHaveLength(1);
    await repository.delete(note.uid);
    expect(await statusOf(repository.fetch(note.uid))).toBe(404);
  });

  test('sends any request', async () => {
    const body = { 'entity-type': 'document', name: 'any', type: 'Folder', properties: {} };
    const path = `/path${workspaces}`;
    expect(await client.request(path).queryParams({ depth: 'root' }).post({ body })).toMatchObject({
      type: 'Folder',
    });
    const any = () => client.request(path).path('any');
    const change = { 'entity-type': 'document', properties: { 'dc:title': 'put' } };
    expect(await any().put({ body: change })).toMatchObject({ title: 'put' });
    expect(await any().get()).toMatchObject({ title: 'put' });
    expect(await any().delete()).toMatchObject({ status: 204 });
    if ('http' in client) {
      const url = `${baseURL}api/v1/path/`;
      expect(await client.http({ url })).toMatchObject({ path: '/' });
      expect(await client._http({ url })).toMatchObject({ path: '/' });
    }
  });

  test('calls operations with documents, blobs and batches', async () => {
    const title = async (input: unknown) => {
      const update = client.operation('Document.Update').input(input);
      return update.param('properties', { 'dc:description': 'by an operation' }).execute();
    };
    const other = await make('other');
    expect(await title(file.uid)).toMatchObject({ uid: file.uid });
    expect((await title([file.uid, other.uid])).entries).toHaveLength(2);
    if (!/^nuxeo-[12]/.test(version)) expect((await title([file, other])).entries).toHaveLength(2);
    const attach = (xpath: string) =>
      client.operation('Blob.AttachOnDocument').params({ document: file.uid, xpath });
    await attach('file:content').input(blob('a.txt')).execute();
    await attach('files:files')
      .input([blob('b.txt'), blob('c.txt')])
      .execute();
    const { properties } = await client.repository().fetch(file.uid);
    expect(properties['files:files']).toHaveLength(2);
    expect(await (await file.fetchBlob()).text()).toBe('bytes of a.txt');
    expect(await (await file.fetchBlob('files:files/1/file')).text()).toBe('bytes of c.txt');

    const toImport = () => client.operation('FileManager.Import').context({ currentDocument: workspaces });
    const batch = client.batchUpload();
    const { blobs } = await batch.upload(blob('one.txt'), blob('two.txt'), blob('three.txt'));
    expect((await batch.done()).blobs).toHaveLength(3);
    expect(batch.isFinished()).toBe(true);
    expect((await batch.fetchBlob(1)).blob).toMatchObject({ name: 'two.txt' });
    if ('removeBlob' in batch) await batch.removeBlob(2);
    expect((await batch.fetchBlobs()).blobs).toHaveLength('removeBlob' in batch ? 2 : 3);
    expect(await toImport().input(blobs[0]).execute()).toMatchObject({ title: 'one.txt' });
    const whole = client.batchUpload();
    await whole.upload(blob('four.txt'), blob('five.txt'));
    expect((await toImport().input(whole).execute()).entries).toHaveLength(2);
    const cancelled = client.batchUpload();
    await cancelled.upload(blob('six.txt'));
    expect(await cancelled.cancel()).toBe(cancelled);
  });

  test('locks, moves and leads documents on, and reads their log and rights', async () => {
    const note = await make('led', 'Note');
    await note.lock();
    expect(await note.fetchLockStatus()).toMatchObject({ lockOwner: me });
    await note.unlock();
    expect((await note.move('/default-domain/sections', 'moved')).path).toMatch(/sections\/moved$/);
    expect((await note.followTransition('approve')).state).toBe('approved');
    await note.addPermission({ username: 'members', permission: 'Write' });
    expect((await note.fetchACLs()).map(({ name }) => name)).toEqual(['local', 'inherited']);
    await note.removePermission({ user: 'members' });
    expect(await note.hasPermission('Write')).toBe(true);
    expect((await note.fetchAudit({ eventId: 'documentLocked' })).entries).toHaveLength(1);
  });

  test('reads renditions and conversions, and schedules conversions', async () => {
    expect(await refusalOf(file.convert({ format: 'heic' }))).toMatchObject({ status: 400 });
    expect(await file.scheduleConversion({ format: 'txt' })).toMatchObject({
      'entity-type': 'conversionScheduled',
      pollingURL: expect.stringMatching(/\/conversions\/[^/]+\/poll$/),
    });
    await file.fetchRendition('thumbnail');
    expect(await refusalOf(file.fetchRendition('nosuch'))).toMatchObject({ status: 404 });
    if (!('fetchRenditions' in file)) return;
    const listed = (await file.fetchRenditions()) as Array<{ name: string }>;
    expect(listed.map(({ name }) => name)).toEqual(['thumbnail', 'pdf', 'xmlExport', 'zipExport']);
  });

  test('runs workflows and their tasks', async () => {
    const started = await file.startWorkflow('SerialDocumentReview');
    expect((await file.fetchWorkflows()).entries).toHaveLength(1);
    expect(await started.fetchGraph()).toMatchObject({ 'entity-type': 'graph' });
    const taskOf = async () => (await started.fetchTasks()).entries[0] as Task;
    await (await taskOf()).delegate('user:Administrator', { comment: 'for you' });
    const first = (await taskOf()).variable('participants', [`user:${me}`]);
    await first.variable('validationOrReview', 'simpleReview').complete('start_review', { comment: 'go' });
    await (await taskOf()).reassign('members', { comment: 'you' });
    expect(await taskOf()).toMatchObject({ actors: [{ id: expect.stringMatching(/members$/) }] });

    const workflows = client.workflows();
    const other = await make('reviewed');
    const { id } = await workflows.start('ParallelDocumentReview', { attachedDocumentIds: [other.uid] });
    expect((await workflows.fetch(id)).id).toBe(id);
    const ofModel = await workflows.fetchStartedWorkflows('ParallelDocumentReview');
    expect(ofModel.entries.map((each) => each.id)).toEqual([id]);
    const wanted = { actorId: me, workflowInstanceId: id, workflowModelName: 'ParallelDocumentReview' };
    expect((await workflows.fetchTasks(wanted)).entries).toHaveLength(1);
    expect((await workflows.fetchTasks()).entries).not.toHaveLength(0);
    await workflows.delete(id);
  });

  test('creates, changes and deletes users, groups and entries', async () => {
    const users = client.users();
    const leela = await users.create({ properties: { username: 'leela', firstName: 'L' } });
    leela.set({ firstName: 'Leela' });
    expect([leela.get('firstName'), (await leela.save()).properties.firstName]).toEqual(['Leela', 'Leela']);
    expect((await users.update({ id: 'leela', properties: { lastName: 'T' } })).properties).toMatchObject({
      firstName: 'Leela',
      lastName: 'T',
    });
    const groups = client.groups();
    const crew = { groupname: 'crew', grouplabel: 'Crew', memberUsers: ['leela'], memberGroups: [] };
    expect(await (await groups.create(crew)).save()).toMatchObject({ grouplabel: 'Crew' });
    expect(await groups.update({ ...crew, grouplabel: 'Us' })).toMatchObject({ grouplabel: 'Us' });
    expect(await groups.fetch('crew')).toMatchObject({ groupname: 'crew' });
    await groups.delete('crew');
    await users.delete('leela');
    expect(await statusOf(users.fetch('leela'))).toBe(404);

    const continents = client.directory('continent');
    const made = await continents.create({ properties: { id: 'mu', label: 'Mu', ordering: 1, obsolete: 0 } });
    made.set({ label: 'risen' });
    expect([made.get('label'), (await made.save()).properties.label]).toEqual(['risen', 'risen']);
    expect((await continents.update({ properties: { id: 'mu', label: 'sunk' } })).properties.label).toBe(
      'sunk',
    );
    expect((await continents.fetch('mu')).id).toBe('mu');
    const all = await continents.fetchAll();
    expect((Array.isArray(all) ? all : all.entries).map(({ id }) => id)).toContain('mu');
    await continents.delete('mu');
  });

  test('signs in by a token, and by nothing that is not configured', async () => {
    const token = await client.requestAuthenticationToken('app', 'device', 'A device', 'rw');
    const byToken = clientWith({ method: 'token', token });
    await byToken.login();
    expect(byToken.user.id).toBe(me);
    expect(await statusOf(clientWith({ method: 'portal', username: me, secret: 'x' }).login())).toBe(401);
    const { Client } = recorded;
    Client.promiseLibrary(Promise);
    Client.registerUnmarshaller('odd', (json: unknown) => json);
    const headers = { Authorization: `Basic ${btoa(`${me}:${administrator.password}`)}` };
    const olderForm = (_: unknown, given: object) => Object.assign(given, headers); // before 3
    const computeAuthenticationHeaders = () => headers;
    Client.registerAuthenticator('own', Object.assign(olderForm, { computeAuthenticationHeaders }));
    const own = clientWith({ method: 'own' });
    await own.login();
    expect(own.user.id).toBe(me);
    if ('authenticateURL' in byToken) {
      const url = byToken.authenticateURL(`${baseURL}api/v1/path/`);
      expect((await fetch(url)).status).toBe(200);
      const sent = { headers: byToken.computeAuthenticationHeaders() };
      expect((await fetch(`${baseURL}api/v1/path/`, sent)).status).toBe(200);
    }
  });

  test('signs in by OAuth 2.0, and renews its token', async () => {
    const { oauth2, SERVER_VERSIONS } = recorded.Client;
    if (!oauth2 || !SERVER_VERSIONS) return; // only since 3
    const redirect_uri = 'https://app.example.org/back';
    const properties = { name: 'App', clientId: 'app', redirectURIs: redirect_uri, enabled: true };
    await client.directory('oauth2Clients').create({ properties });
    const params = { redirect_uri };
    const asked = new URL(oauth2.getAuthorizationURL(baseURL, 'app', params));
    const codeOf = async (): Promise<string> => {
      const body = new URLSearchParams([...asked.searchParams, ['grant_access', '1']]);
      const { headers } = await fetch(`${baseURL}oauth2/authorize_submit`, {
        method: 'POST',
        redirect: 'manual',
        headers: client.computeAuthenticationHeaders(),
        body,
      });
      return new URL(headers.get('location') ?? '').searchParams.get('code') ?? '';
    };
    const first = await oauth2.fetchAccessTokenFromAuthorizationCode(baseURL, 'app', await codeOf(), params);
    const second = await oauth2.fetchAccessToken(baseURL, 'app', await codeOf(), params);
    const renewed = await oauth2.refreshAccessToken(baseURL, 'app', second.refresh_token, params);
    const signedIn = clientWith({ method: 'bearerToken', clientId: 'app', token: renewed });
    expect((await signedIn.connect()).user.id).toBe(me);
    await expect(oauth2.fetchAccessTokenFromJWTToken(baseURL, 'app', 'a.b.c', params)).rejects.toBe(
      'invalid_grant',
    );

    const stale = { ...first, access_token: 'gone' };
    const renewing = clientWith({ method: 'bearerToken', clientId: 'app', token: stale });
    const seen: unknown[] = [];
    renewing.onAuthenticationRefreshed((auth) => seen.push(auth));
    expect((await renewing.connect()).user.id).toBe(me);
    expect(seen).toHaveLength(1);

    const found = client.serverVersion;
    const { LTS_2017, LTS_2019 } = SERVER_VERSIONS;
    expect([found.gt(LTS_2019), found.gte(LTS_2019), LTS_2017.lte(LTS_2019)]).toEqual([true, true, true]);
    expect(String(found)).toMatch(/^2023\./);
  });

  test('has no method that was not called', () => {
    expect(recorded.missed()).toEqual([]);
  });
});
