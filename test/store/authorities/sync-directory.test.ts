/** @group slow */
import { expect, test } from '@jest/globals';
import supertest from 'supertest';
import { newMeter } from '../../../src/db/meter.ts';
import { openDirectories } from '../../../src/ldap/directory.ts';
import { syncDirectory } from '../../../src/store/authorities/sync-directory.ts';
import { quire } from '../../cli/run-quire.ts';
import { exchange, landed, redirect, register } from '../../oauth2/flow.ts';
import { runJobs } from '../../support/jobs.ts';
import { askGraphql } from '../../support/requests.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import {
  describeDirectory,
  directoryPassword,
  directorySettings,
  groupsBase,
  people,
  startDirectory,
  startGate,
  type TestDirectory,
} from '../../support/slapd.ts';
import { until } from '../../support/until.ts';
import { as, createUser } from '../../support/users.ts';

const rules = {
  create: true,
  properties: { firstName: 'givenName', email: 'mail' },
  groups: [{ claim: 'groups', values: ['staff'], group: 'members' }],
};

interface Place extends AsyncDisposable {
  readonly directory: TestDirectory;
  readonly server: TestServer;
  /** The settings with which the command line uses the same database and directory. */
  readonly settings: Record<string, string>;
  readonly sync: (...options: string[]) => ReturnType<typeof quire>;
}

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `user-${index}`);
const dnOf = (name: string): string => `uid=${name},${people}`;

/** Starts a directory with users, and a server that has created them. */
async function startPlace(
  count: number,
  provider: (directory: TestDirectory) => object = () => ({}),
): Promise<Place> {
  const directory = await startDirectory();
  for (const name of names(count)) await directory.person(name);
  const sync = { create: true };
  const groups = { base: groupsBase };
  const own = { users: rules, groups, sync, ...provider(directory) };
  const file = directorySettings({ example: directory.settings(own) });
  const server = await startServer(file);
  const settings = { ...file, DATA_DIR: server.dataDir, DATABASE_URL: server.url ?? '' };
  return {
    directory,
    server,
    settings,
    sync: (...options) => quire(['user', 'sync', ...options], settings),
    [Symbol.asyncDispose]: async () => {
      await server.stop();
      await directory.stop();
    },
  };
}

const me = ({ server: { anonymous } }: Pick<Place, 'server'>, username: string) =>
  anonymous.get('/api/v1/me').auth(username, directoryPassword);

const ended = async ({ server }: Pick<Place, 'server'>): Promise<string[]> => {
  const rows = await server.database.prisma.identity.findMany({ where: { endedAt: { not: null } } });
  return rows.map(({ userId }) => userId).sort();
};

describeDirectory('A synchronization', () => {
  test('creates users, changes what the rules name, disables who is gone and enables who returns', async () => {
    const filter = '(&(objectClass=inetOrgPerson)(uid={username})(!(employeeType=left)))';
    await using place = await startPlace(12, () => ({ filter }));
    const { directory, server, sync } = place;
    const trial = await sync('--dry-run');
    expect(trial).toMatchObject({ code: 0, err: '' });
    expect(trial.out).toContain('Example directory: 12 users\n  created: user-0, user-1, ');
    expect(await server.database.prisma.identity.count()).toBe(0);
    expect((await sync()).code).toBe(0);
    expect(await server.database.prisma.identity.count({ where: { lastSignInAt: null } })).toBe(12);

    await directory.group('staff', [dnOf('user-1')]);
    await directory.replace(dnOf('user-2'), { givenName: 'New', mail: [] });
    const changed = await sync('--json');
    expect(JSON.parse(changed.out)).toEqual({
      directory: 'example',
      found: 12,
      created: [],
      changed: expect.arrayContaining(['user-1', 'user-2']),
      disabled: [],
      enabled: [],
      refused: {},
    });
    const { body } = await server.request.get('/api/v1/user/user-1').expect(200);
    expect(body.properties.groups).toEqual(['members']);
    expect((await server.request.get('/api/v1/user/user-2')).body.properties).toMatchObject({
      firstName: 'New',
      email: null,
    });

    await directory.replace(dnOf('user-3'), { employeeType: 'left' });
    expect((await sync()).out).toContain('disabled: user-3');
    expect(await ended(place)).toEqual(['user-3']);
    const query =
      '{ user(id: "user-3") { signIn { identities { endDate } } } identityProviders { issuer state { isReachable } } }';
    expect(await askGraphql(server.request, query)).toEqual({
      user: { signIn: { identities: [{ endDate: expect.stringMatching(/^\d{4}-/) }] } },
      identityProviders: [{ issuer: directory.url, state: { isReachable: true } }],
    });
    await me(place, 'user-3').expect(401);
    await directory.replace(dnOf('user-3'), { employeeType: [] });
    expect((await sync()).out).toContain('enabled: user-3');
    expect(await ended(place)).toEqual([]);
    await me(place, 'user-3').expect(200);
  });

  test('ends all sessions, tokens and grants of who is gone', async () => {
    await using place = await startPlace(11);
    const { directory, server, sync } = place;
    await me(place, 'user-0').expect(200);
    const browser = supertest.agent(server.http);
    await browser.post('/login').send({ username: 'user-0', password: directoryPassword }).expect(204);
    const basic = () => server.anonymous.get('/api/v1/me').auth('user-0', directoryPassword);
    const { text: token } = await server.anonymous
      .get('/authentication/token?applicationName=a&deviceId=d&permission=rw')
      .auth('user-0', directoryPassword)
      .expect(201);
    await register(server);
    const consent = { response_type: 'code', client_id: 'app', redirect_uri: redirect, grant_access: '1' };
    const granted = await server.anonymous
      .post('/oauth2/authorize_submit')
      .auth('user-0', directoryPassword)
      .type('form')
      .send(consent)
      .expect(302);
    const { body: tokens } = await exchange(server, landed(granted).code ?? '').expect(200);
    const requests = () => [
      basic(),
      browser.get('/api/v1/me'),
      server.anonymous.get('/api/v1/me').set('X-Authentication-Token', token),
      server.anonymous.get('/api/v1/me').set('Authorization', `Bearer ${tokens.access_token}`),
    ];
    const statuses = async () => Promise.all(requests().map(async (request) => (await request).status));
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    await sync();
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    await directory.remove(dnOf('user-0'));
    expect((await sync()).out).toContain('disabled: user-0');
    await until(async () => (await basic()).status === 401); // The command is another process.
    expect(await statuses()).toEqual([401, 401, 401, 401]);
    await directory.person('user-0'); // another entry, which is another identity
    expect((await sync()).out).toContain('The user name user-0 is taken by a user');
    expect(await ended(place)).toEqual(['user-0']);
    expect(await statuses()).toEqual([409, 401, 401, 401]);
    expect(await server.database.prisma.oAuth2Token.count({ where: { userId: 'user-0' } })).toBe(0);
  });

  test('leaves local users alone, even if they have the name of someone who is gone', async () => {
    await using place = await startPlace(11);
    const { directory, server, sync } = place;
    await createUser(server, 'local');
    await sync();
    await directory.remove(dnOf('user-5'));
    await sync();
    await as(server, 'local').get('/api/v1/me').expect(200);
    await server.request.get('/api/v1/me').expect(200);
    expect(await ended(place)).toEqual(['user-5']);
  });

  test('stops when it would disable more than a tenth of the users', async () => {
    await using place = await startPlace(20);
    const { directory, sync } = place;
    await sync();
    for (const name of ['user-0', 'user-1']) await directory.remove(dnOf(name));
    expect((await sync()).code).toBe(0);
    for (const name of ['user-2', 'user-3']) await directory.remove(dnOf(name));
    expect(await sync()).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining(
        '2 of 18 users are gone, which is more than 10 %. Nothing has been changed.',
      ),
    });
    expect(await ended(place)).toEqual(['user-0', 'user-1']);
    expect((await sync('--any-number')).code).toBe(0);
    expect(await ended(place)).toEqual(['user-0', 'user-1', 'user-2', 'user-3']);
  });

  test('stops at an empty result', async () => {
    await using place = await startPlace(1);
    const { directory, sync } = place;
    await sync();
    await directory.remove(dnOf('user-0'));
    for (const options of [[], ['--any-number']])
      expect(await sync(...options)).toMatchObject({
        code: 1,
        err: expect.stringContaining('the directory returned no users. Nothing has been changed.'),
      });
    expect(await ended(place)).toEqual([]);
  });

  test('stops at a partial result, because of a size limit or a referral', async () => {
    await using place = await startPlace(3, (directory) => directory.limitedSettings());
    const { directory, server, sync } = place;
    const { id } = await server.database.prisma.user.create({ data: { id: 'known' } });
    await server.database.prisma.identity.create({
      data: { provider: 'example', subject: 'known', userId: id },
    });
    expect(await sync('--any-number')).toMatchObject({
      code: 1,
      err: expect.stringContaining('the users cannot be read completely'),
    });
    await using other = await startGate(directory.port);
    await directory.add(`cn=elsewhere,${people}`, {
      objectClass: ['referral', 'extensibleObject'],
      cn: 'elsewhere',
      ref: `${other.url}/${people}`,
    });
    const file = directorySettings({ example: directory.settings({ users: rules, sync: {} }) });
    expect(await quire(['user', 'sync', '--any-number'], { ...place.settings, ...file })).toMatchObject({
      code: 1,
      err: expect.stringContaining('some users are on other servers'),
    });
    expect(other.connections()).toBe(0);
    expect(await ended(place)).toEqual([]);
  });

  test('changes nothing while the directory is away', async () => {
    await using place = await startPlace(1);
    await place.sync();
    await place.directory.stop();
    expect(await place.sync()).toMatchObject({ code: 1, err: expect.stringContaining('does not respond') });
    expect(await ended(place)).toEqual([]);
  });

  test('reports users whose name is taken, and creates the others', async () => {
    await using place = await startPlace(3);
    await createUser(place.server, 'user-1');
    const { code, out } = await place.sync();
    expect(code).toBe(0);
    expect(out).toContain('created: user-0, user-2');
    expect(out).toContain('The user name user-1 is taken by a user');
  });

  test('takes the same number of statements for any number of users who have not changed', async () => {
    const statements = async (count: number): Promise<number> => {
      await using place = await startPlace(count);
      const { services } = place.server;
      const [directory] = openDirectories(services.identityProviders);
      if (!directory) throw new Error('There is no directory.');
      await syncDirectory(services, directory);
      const meter = newMeter();
      await syncDirectory({ ...services, database: services.database.metered(meter) }, directory);
      return meter.statements;
    };
    const few = await statements(2);
    expect(few).toBeGreaterThan(0);
    expect(await statements(30)).toBe(few);
  });

  test('is a job, which fails if the result is not plausible', async () => {
    await using place = await startPlace(2);
    const errors: unknown[] = [];
    const stop = await runJobs(place.server, (error) => errors.push(error));
    await until(async () => (await place.server.database.prisma.identity.count()) === 2);
    await stop();
    await place.directory.remove(dnOf('user-0'));
    await place.server.database.prisma.job.updateMany({
      where: { kind: 'sync-directories' },
      data: { runAt: new Date() },
    });
    await runJobs(place.server, (error) => errors.push(error));
    await until(() => errors.length > 0);
    expect(String(errors[0])).toContain('1 of 2 users are gone');
    expect(await ended(place)).toEqual([]);
  });
});
