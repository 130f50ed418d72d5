/** @group slow */
import { expect, test } from '@jest/globals';
import supertest from 'supertest';
import { redirect, register } from '../oauth2/flow.ts';
import { startBeside } from '../support/beside.ts';
import { cookieIn, enterPassword, totpCode } from '../support/second-factor.ts';
import { startServer, type TestServer } from '../support/server.ts';
import {
  describeDirectory,
  directoryPassword,
  directorySettings,
  groupsBase,
  people,
  startDirectory,
  startGate,
  useDirectory,
} from '../support/slapd.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';
import { as, createUser, password } from '../support/users.ts';

const rules = {
  create: true,
  properties: { firstName: 'givenName', email: 'mail' },
  groups: [{ claim: 'groups', values: ['staff'], group: 'members' }],
};
const groups = { base: groupsBase };

const me = ({ anonymous }: Pick<TestServer, 'anonymous'>, username: string, secret = directoryPassword) =>
  anonymous.get('/api/v1/me').auth(username, secret);
const signIn = ({ anonymous }: Pick<TestServer, 'anonymous'>, username: string, secret = directoryPassword) =>
  anonymous.post('/login').send({ username, password: secret });

describeDirectory('Passwords of a directory', () => {
  const directory = useDirectory();
  const server = use(() =>
    startServer(directorySettings({ example: directory.settings({ users: rules, groups }) })),
  );
  const identityOf = (userId: string) => server.database.prisma.identity.findFirst({ where: { userId } });
  const startWith = (settings: object, more: Record<string, string> = {}) =>
    startServer({
      ...directorySettings({ example: directory.settings({ users: rules, ...settings }) }),
      ...more,
    });

  test('are accepted by Basic, and create the user with the properties and groups of the rules', async () => {
    const jane = await directory.person('jane', { givenName: 'Jane' });
    await directory.group('staff', [jane]);
    const { body } = await me(server, 'jane').expect(200);
    expect(body).toMatchObject({
      id: 'jane',
      properties: { firstName: 'Jane', email: 'jane@example.org', groups: ['members'] },
    });
    expect(await identityOf('jane')).toMatchObject({
      provider: 'example',
      subject: expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/),
    });
    await server.journal.flush();
    const where = { principalName: 'jane', eventId: 'loginSuccess' };
    expect(await server.database.prisma.logEntry.findFirst({ where })).toMatchObject({
      extended: { method: 'example' },
    });
  });

  test('begin sessions of the console and of the pages of OAuth 2.0', async () => {
    await directory.person('browsing');
    const agent = supertest.agent(server.http);
    await agent.post('/login').send({ username: 'browsing', password: directoryPassword }).expect(204);
    expect((await agent.get('/api/v1/me').expect(200)).body.id).toBe('browsing');
    await register(server);
    const request = { response_type: 'code', client_id: 'app', redirect_uri: redirect, state: 's' };
    const consenting = supertest.agent(server.http);
    const form = { ...request, username: 'browsing', password: directoryPassword };
    const { headers } = await consenting.post('/oauth2/log_in').type('form').send(form).expect(303);
    const { text } = await consenting.get(headers.location ?? '').expect(200);
    expect(text).toContain('<strong>browsing</strong>');
  });

  test('apply the rules again at each sign-in, and leave other groups alone', async () => {
    const dn = await directory.person('moved');
    await directory.replace(`cn=staff,${groupsBase}`, { member: [dn, `uid=jane,${people}`] });
    await signIn(server, 'moved').expect(204);
    await server.request.post('/api/v1/user/moved/group/powerusers').expect(201);
    await directory.replace(dn, { givenName: 'New', mail: [] });
    await directory.replace(`cn=staff,${groupsBase}`, { member: `uid=jane,${people}` });
    await signIn(server, 'moved').expect(204);
    const { body } = await server.request.get('/api/v1/user/moved').expect(200);
    expect(body.properties).toMatchObject({ firstName: 'New', email: null, groups: ['powerusers'] });
  });

  test('are verified once for many requests, and again when the credentials of the user have ended', async () => {
    const dn = await directory.person('often');
    for (let count = 0; count < 5; count += 1) {
      await me(server, 'often').expect(200);
      await server.database.announce('principals'); // Other changes empty the cache of callers.
    }
    expect(directory.binds(dn)).toBe(1);
    await server.request.delete('/api/v1/user/often/credentials').expect(204);
    await me(server, 'often').expect(200);
    expect(directory.binds(dn)).toBe(2);
    await server.database.prisma.identity.deleteMany({ where: { userId: 'often' } });
    await server.database.announce('principals');
    const { body } = await me(server, 'often').expect(409);
    expect(body.message).toContain('The user name often is taken by a user');
  });

  test('give a user a second step like other passwords', async () => {
    await using strict = await startWith({}, { SECOND_FACTOR_GROUPS: '*' });
    await directory.person('factor');
    const { body } = await signIn(strict, 'factor').expect(200);
    expect(body).toEqual({ secondFactor: 'setup' });
    await me(strict, 'factor').expect(401);
  });

  test('are not those of users who have a password here', async () => {
    const dn = await directory.person('both');
    await createUser(server, 'both');
    await me(server, 'both').expect(401);
    await me(server, 'both', password).expect(200);
    const admin = await directory.person('Administrator');
    await me(server, 'Administrator').expect(401);
    await server.request.get('/api/v1/me').expect(200);
    expect([directory.binds(dn), directory.binds(admin)]).toEqual([0, 0]);
  });

  test('never take over an account, whatever its name and email address are', async () => {
    const properties = { username: 'victim', email: 'victim@example.org' };
    await server.request.post('/api/v1/user').send({ 'entity-type': 'user', properties }).expect(201);
    await directory.person('attacker', { mail: 'victim@example.org' });
    expect((await me(server, 'attacker').expect(200)).body.id).toBe('attacker');
    for (const name of ['victim', 'VICTIM', 'members']) {
      if (name !== 'VICTIM') await directory.person(name);
      const { body } = await me(server, name).expect(409);
      expect(body.message).toContain(`The user name ${name.toLowerCase()} is taken by a user`);
    }
    expect(await identityOf('victim')).toBeNull();
  });

  test('create nobody without the setting', async () => {
    await using closed = await startWith({ users: { ...rules, create: false } });
    await directory.person('stranger');
    const { body } = await me(closed, 'stranger').expect(403);
    expect(body.message).toContain('Ask an administrator to link it');
  });

  test('follow the entry when it is renamed, and another entry of the name is another user', async () => {
    const dn = await directory.person('first');
    await me(server, 'first').expect(200);
    await directory.remove(dn);
    await directory.person('first');
    await signIn(server, 'first').expect(409);
  });

  test('are tested by administrators, who see the attributes and what they map to, without any change', async () => {
    const dn = await directory.person('tested', { givenName: 'Tess' });
    await directory.group('testers', [dn]);
    const check = (body: object, by = server.request) => by.post('/sso/example/test').send(body);
    const { body } = await check({ username: 'tested', password: directoryPassword }).expect(200);
    expect(body).toMatchObject({
      claims: { uid: 'tested', givenName: 'Tess', groups: ['testers'] },
      mapped: { id: 'tested', properties: { firstName: 'Tess' }, groups: [] },
    });
    const wrong = await check({ username: 'tested', password: 'wrong' }).expect(401);
    expect(wrong.body.message).toContain('is wrong at');
    await check({}).expect(400);
    await createUser(server, 'curious');
    await check({ username: 'tested', password: directoryPassword }, as(server, 'curious')).expect(403);
    expect(await identityOf('tested')).toBeNull();
    await server.request.get('/api/v1/user/tested').expect(404);
  });

  test('are changed in the directory, as the response to a change says', async () => {
    await directory.person('changing');
    const change = server.anonymous
      .put('/api/v1/me/changepassword')
      .auth('changing', directoryPassword)
      .send({ oldPassword: directoryPassword, newPassword: 'another good one' });
    const { body } = await change.expect(403);
    expect(body.message).toBe(
      'changing has no password on this server, but signs in with Example directory. Change the password there.',
    );
    await me(server, 'changing').expect(200);
  });

  test('support no sessions and tokens after the directory was removed from IDENTITY_FILE', async () => {
    await using removed = await startWith({}, { SECOND_FACTOR_GROUPS: '*' });
    await directory.person('leaving');
    // The session begins after a second step, which must not lose where the password comes from.
    const step = await enterPassword(removed, 'leaving', directoryPassword);
    expect(step.body).toEqual({ secondFactor: 'setup' });
    const setUp = (body: object) =>
      removed.anonymous.post('/login/setup').set('Cookie', step.cookie).send(body);
    const { secret, ticket } = (await setUp({}).expect(200)).body;
    const cookie = cookieIn((await setUp({ ticket, code: totpCode(secret) }).expect(200)).headers);
    const { text: token } = await removed.anonymous
      .post('/api/v1/token?application=Phone')
      .set('Cookie', cookie)
      .expect(201);
    const statusesAt = async ({ anonymous }: Pick<TestServer, 'anonymous'>) => [
      (await anonymous.get('/api/v1/me').set('Cookie', cookie)).status,
      (await anonymous.get('/api/v1/me').set('X-Authentication-Token', token)).status,
    ];
    expect(await statusesAt(removed)).toEqual([200, 200]);
    const without = await startBeside(removed);
    expect(await statusesAt(without)).toEqual([401, 401]);
    await without.close();
    expect(await removed.database.prisma.session.count()).toBe(0);
  });

  test('prove an account that the user links', async () => {
    await createUser(server, 'linking');
    await directory.person('linked');
    const link = (body: object) => as(server, 'linking').post('/sso/example/link').send(body);
    const credentials = { username: 'linked', password: directoryPassword };
    await link({ password }).expect(400);
    await link({ password: 'wrong', directory: credentials }).expect(401);
    await link({ password, directory: { ...credentials, password: 'wrong' } }).expect(401);
    await link({ password, directory: { ...credentials, password: '' } }).expect(400);
    await link({ password, directory: credentials }).expect(204);
    expect((await me(server, 'linked').expect(200)).body.id).toBe('linking');
    const asAdmin = server.request.post('/sso/example/link');
    const { body } = await asAdmin.send({ password: 'Administrator', directory: credentials }).expect(409);
    expect(body.message).toContain('is the administrator of this server');
  });
});

describeDirectory('Attacks on sign-ins with a directory', () => {
  const directory = useDirectory();
  const server = use(() =>
    startServer({
      ...directorySettings({ example: directory.settings({ users: rules, groups }) }),
      LOGIN_FAILURES: '1000',
    }),
  );

  test.each([
    '*',
    'jan*',
    'jane)(uid=*',
    'jane)(|(uid=*',
    '*)(objectClass=*',
    'jane\\2a',
    '(jane',
    'jane)',
    '\\',
    '&',
  ])('a name is never a part of the filter: %s', async (name) => {
    await directory.person('jane').catch(() => {}); // once
    const before = directory.requests().length;
    await signIn(server, name).expect(401);
    const sent = directory.requests().slice(before);
    const searches = sent.filter((line) => line.includes('SRCH base') && line.includes(people));
    expect(searches).toHaveLength(1);
    expect(searches[0]).toMatch(/filter="\(&\(objectClass=inetOrgPerson\)\(uid=[^()*]*\)\)"/);
    expect(directory.binds(`uid=jane,${people}`)).toBe(0);
  });

  test('control characters are refused before a search', async () => {
    const before = directory.requests().length;
    for (const name of ['jane\0', 'ja\nne', ' ']) await signIn(server, name).expect(401);
    expect(directory.requests()).toHaveLength(before);
  });

  test('users and groups can have names with special characters', async () => {
    const name = `o'c(on), *x\\ "#+<ü>`;
    const dn = await directory.person(name);
    await directory.group('staff', [dn]);
    const { body } = await signIn(server, name)
      .expect(204)
      .then(() => me(server, name).expect(200));
    expect(body).toMatchObject({ id: name, properties: { groups: ['members'] } });
  });

  test('empty passwords, which servers accept as anonymous, are refused before a bind', async () => {
    const dn = await directory.person('empty');
    for (const secret of ['', '\0', `\0${directoryPassword}`, `${directoryPassword}\0`])
      await signIn(server, 'empty', secret).expect(401);
    await me(server, 'empty', '').expect(401);
    expect(directory.requests().filter((line) => line.includes('uid=empty'))).toEqual([]);
    expect(directory.binds(dn)).toBe(0);
  });

  test('wrong passwords count, for every spelling of the name', async () => {
    await using strict = await startServer({
      ...directorySettings({ example: directory.settings({ users: rules }) }),
      LOGIN_FAILURES: '4',
    });
    const dn = await directory.person('guessed');
    for (const name of ['guessed', 'GUESSED', ' guessed', 'guéssed'])
      await signIn(strict, name, 'wrong').expect(401);
    await signIn(strict, 'guessed').expect(429);
    await me(strict, 'guessed').expect(429);
    expect(directory.binds(dn)).toBeLessThanOrEqual(4);
  });

  test('referrals are not followed', async () => {
    await using other = await startGate(directory.port);
    const address = `${other.url}/${people}`;
    await directory.add(`cn=elsewhere,${people}`, {
      objectClass: ['referral', 'extensibleObject'],
      cn: 'elsewhere',
      ref: address,
    });
    await directory.person('referred');
    await me(server, 'referred').expect(200);
    await me(server, 'elsewhere').expect(401);
    await using below = await startServer(
      directorySettings({ example: directory.settings({ users: rules, base: `cn=elsewhere,${people}` }) }),
    );
    await me(below, 'referred').expect(503);
    expect(other.connections()).toBe(0);
  });

  test('a slow directory delays neither local users nor the users of its second server', async () => {
    await using slow = await startGate(directory.port);
    slow.state = 'silent';
    const settings = directory.settings({ users: rules, timeout: 1 });
    await using only = await startServer(
      directorySettings({ example: { ...settings, servers: [slow.url] } }),
    );
    await createUser(only, 'local');
    const attempts = Array.from(
      { length: 40 },
      async (_, index) => (await signIn(only, `nobody-${index}`)).status,
    );
    await until(() => slow.connections() > 0);
    await me(only, 'local', password).expect(200);
    expect(new Set(await Promise.all(attempts))).toEqual(new Set([503]));
    expect(slow.connections()).toBeLessThanOrEqual(8);

    await directory.person('patient');
    await using both = await startServer(
      directorySettings({ example: { ...settings, servers: [slow.url, directory.url] } }),
    );
    await me(both, 'patient').expect(200);
    const tried = slow.connections();
    await signIn(both, 'patient').expect(204);
    expect(slow.connections()).toBe(tried); // The first server rests after its failure.
    slow.state = 'open';
    await using open = await startServer(
      directorySettings({ example: { ...settings, servers: [slow.url] } }),
    );
    await me(open, 'patient').expect(200);
  });

  test('while the directory is away, its users get a 503 and local users keep working', async () => {
    await using gone = await startDirectory();
    await using other = await startServer(directorySettings({ example: gone.settings({ users: rules }) }));
    await gone.person('back');
    await gone.stop();
    const { body, headers } = await me(other, 'back').expect(503);
    expect(body.message).toBe('Example directory does not respond. Try again later.');
    expect(headers['retry-after']).toBe('5');
    await other.request.get('/api/v1/me').expect(200);
    await gone.start();
    await until(async () => (await signIn(other, 'back')).status === 204);
  });
});

describeDirectory('Connections to a directory', () => {
  const directory = useDirectory();
  const start = (settings: object) =>
    startServer(directorySettings({ example: directory.settings({ users: rules, ...settings }) }));

  test('are encrypted by LDAPS, with the certificate of a private authority', async () => {
    await directory.person('secure');
    await using server = await start({ servers: [directory.secureUrl], ca: directory.ca });
    await me(server, 'secure').expect(200);
  });

  test('are encrypted by StartTLS before a password is sent', async () => {
    await directory.person('upgraded');
    await using server = await start({ startTls: true, ca: directory.ca });
    const before = directory.requests().length;
    await me(server, 'upgraded').expect(200);
    expect(directory.requests()[before]).toContain('EXT oid=1.3.6.1.4.1.1466.20037');
  });

  test('never send a password unencrypted after a connection was cut', async () => {
    await directory.person('cut');
    for (let cutAfter = 1; cutAfter <= 8; cutAfter += 1) {
      await using gate = await startGate(directory.port);
      await using server = await start({ servers: [gate.url], startTls: true, ca: directory.ca });
      gate.cutAfter = cutAfter;
      const { status } = await me(server, 'cut');
      expect([200, 503]).toContain(status);
      expect(gate.connections()).toBe(1);
      expect(gate.received()).not.toContain(directoryPassword);
    }
  });

  test('are refused to servers with another certificate, or with that of another host', async () => {
    await directory.person('intercepted');
    await using other = await startDirectory();
    const byAddress = directory.secureUrl.replace('localhost', '127.0.0.1');
    for (const settings of [
      { startTls: true, ca: other.ca },
      { startTls: true },
      { servers: [directory.secureUrl], ca: other.ca },
      { servers: [byAddress], ca: directory.ca },
    ]) {
      await using server = await start(settings);
      const before = directory.requests().length;
      await me(server, 'intercepted').expect(503);
      expect(directory.requests().slice(before).join()).not.toContain('BIND');
    }
  });

  test('go to the directories in their order, and the first that knows the name decides', async () => {
    await using second = await startDirectory();
    await directory.person('shared', { userPassword: 'first password' });
    const dn = await second.person('shared');
    await second.person('only-second');
    await using server = await startServer(
      directorySettings({
        first: directory.settings({ users: rules }),
        second: second.settings({ users: rules }),
      }),
    );
    await me(server, 'only-second').expect(200);
    await me(server, 'shared').expect(401);
    expect(second.binds(dn)).toBe(0);
    await me(server, 'shared', 'first password').expect(200);
  });
});

describeDirectory('Groups of a directory', () => {
  const directory = useDirectory();
  const levels = ['one', 'two', 'three', 'four'];
  const claims = levels.map((value) => ({ claim: 'groups', values: [value], group: value }));
  const server = use(async () => {
    const dn = await directory.person('nested');
    let member = dn;
    for (const name of levels) member = await directory.group(name, [member]);
    // The last group is in the first one, so that they contain each other.
    await directory.replace(`cn=one,${groupsBase}`, { member: [dn, member] });
    await directory.add(`cn=four,${people}`, { objectClass: 'groupOfNames', cn: 'four', member: dn });
    return startServer(directorySettings({ example: directory.settings({ users: { create: true } }) }));
  });

  const groupsOf = async (settings: object): Promise<string[]> => {
    await using other = await startServer(
      directorySettings({
        example: directory.settings({
          users: { create: true, groups: claims },
          groups: { base: groupsBase, ...settings },
        }),
      }),
    );
    for (const id of levels) await other.database.prisma.group.create({ data: { id } });
    const { body } = await me(other, 'nested').expect(200);
    return body.properties.groups.sort();
  };

  test.each(['member', 'memberOf'])('are found through all levels by %s, up to the depth', async (by) => {
    expect(await groupsOf({ by })).toEqual(levels.toSorted());
    expect(await groupsOf({ by, depth: 2 })).toEqual(['one', 'two']);
    expect(await groupsOf({ by, depth: 1 })).toEqual(['one']);
    expect(await groupsOf({ by, base: `cn=two,${groupsBase}` })).toEqual([]);
  });

  test('are asked for with one search by the rule of Active Directory', async () => {
    const before = directory.requests().length;
    expect(await groupsOf({ by: 'inChain' })).toEqual([]); // OpenLDAP does not know the rule.
    const searches = directory
      .requests()
      .slice(before)
      .filter((line) => line.includes(`SRCH base="${groupsBase}"`));
    expect(searches).toHaveLength(1);
  });

  test('are not asked for without the setting', async () => {
    const before = directory.requests().length;
    await me(server, 'nested').expect(200);
    expect(directory.requests().slice(before).join()).not.toContain(groupsBase);
  });
});

describeDirectory('The settings for Active Directory', () => {
  const directory = useDirectory();

  test('identify users by objectGUID, find them by sAMAccountName, and leave out disabled accounts', async () => {
    const account = (uid: string, guid: string, control: string) =>
      directory.person(uid, {
        objectClass: ['inetOrgPerson', 'user'],
        sAMAccountName: uid,
        objectCategory: 'person',
        objectGUID: guid,
        userAccountControl: control,
      });
    await account('active', 'ABCDEFGHIJKLMNOP', '512');
    await account('locked', 'QRSTUVWXYZabcdef', '514');
    await using server = await startServer(
      directorySettings({ ad: directory.settings({ activeDirectory: true, users: rules }) }),
    );
    await me(server, 'active').expect(200);
    await me(server, 'locked').expect(401);
    expect(await server.database.prisma.identity.findMany()).toMatchObject([
      { userId: 'active', subject: '44434241-4645-4847-494a-4b4c4d4e4f50' },
    ]);
  });
});

describeDirectory('The settings of a directory in IDENTITY_FILE', () => {
  const entry = (more: object = {}) => ({
    kind: 'ldap',
    servers: ['ldaps://ldap.example.org'],
    base: people,
    ...more,
  });

  test.each<[object, string]>([
    [{ servers: [] }, 'servers: must name a server'],
    [{ servers: ['https://x'] }, 'servers.0: must be a URL such as ldaps://ldap.example.org'],
    [
      { servers: ['ldap://ldap.example.org'] },
      'servers.0: must begin with ldaps://, or "startTls" must be true',
    ],
    [{ startTls: true }, 'servers.0: must begin with ldap://, because startTls encrypts'],
    [{ ca: 'absent.pem' }, 'ca: absent.pem cannot be read'],
    [{ ca: 'identity.json' }, 'ca: identity.json does not contain a certificate'],
    [{ bindDn: 'cn=quire' }, 'bindPassword: must be set if and only if "bindDn" is'],
    [{ bindDn: 'cn=quire', bindPassword: 'x' }, 'bindPassword: must be {"file": PATH}'],
    [{ filter: '(uid=x)' }, 'filter: must contain {username}'],
    [{ filter: '(&(uid={username}' }, 'filter: is not a valid filter'],
    [{ users: { properties: { nme: 'cn' } } }, 'users.properties.nme: users have no such property'],
    [{ users: { trustEmail: true } }, 'users.trustEmail: is not a known setting'],
    [{ groups: { base: groupsBase, by: 'x' } }, 'groups.by'],
  ])('are refused with their place and fault: %j', async (more, message) => {
    await expect(startServer(directorySettings({ example: entry(more) }))).rejects.toThrow(
      `providers.example.${message}`,
    );
  });

  test('need "basic" in AUTH_CHAIN, and offer no button on sign-in pages', async () => {
    const settings = directorySettings({ example: entry() });
    await expect(startServer({ ...settings, AUTH_CHAIN: 'token' })).rejects.toThrow(
      'AUTH_CHAIN does not contain "basic"',
    );
    await expect(startServer({ ...settings, AUTH_CHAIN: 'basic,oidc' })).rejects.toThrow(
      '"oidc" requires a provider of the kind "oidc"',
    );
    await using server = await startServer(settings);
    const { body } = await server.anonymous.get('/sso').expect(200);
    expect(body).toEqual({ passwords: true, providers: [] });
    await server.anonymous.get('/sso/example').expect(404);
  });
});
