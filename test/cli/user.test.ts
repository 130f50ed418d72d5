/** @group slow */
import { expect, jest, test } from '@jest/globals';
import { newFolder } from '../support/folder.ts';
import { cookieIn, enterPassword, turnOnSecondFactor } from '../support/second-factor.ts';
import { requestsAs, useServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { createUser } from '../support/users.ts';
import { quire, quireProcess } from './run-quire.ts';

jest.setTimeout(180_000);

const server = useServer();

const settings = () => ({ DATA_DIR: server.dataDir, DATABASE_URL: server.url ?? '' });

const user = (args: readonly string[], input = '') => quire(['user', ...args], settings(), input);

/** The status of a request as a user, by the running server. */
const asks = async (name: string, password: string) =>
  (await requestsAs(() => server.http, name, password).get('/api/v1/me')).status;

test('no command makes an account of another ADMIN_USERNAME', async () => {
  const asJane = { ...settings(), ADMIN_USERNAME: 'jane' };
  const { out } = await quire(['user', 'list'], asJane);
  expect(out).not.toContain('jane');
  expect(await quire(['user', 'groups', 'jane'], asJane)).toMatchObject({ code: 1 });
  expect(await quire(['import', newFolder()], asJane)).toMatchObject({ code: 0 });
  await server.request.get('/api/v1/user/jane').expect(404);
});

test('users are created, listed, put into groups, given passwords and deleted, beside the server', async () => {
  const created = await quireProcess(
    [
      'user',
      'create',
      'eve',
      '--first-name',
      'Eve',
      '--email',
      'eve@example.org',
      '--groups',
      'members',
      '--password',
    ],
    settings(),
    'secret\nmore',
  );
  expect(created).toEqual({ code: 0, err: '', out: 'eve has been created.\n' });
  expect(await asks('eve', 'secret')).toBe(200);
  const { body } = await server.request.get('/api/v1/user/eve').expect(200);
  expect(body.properties).toMatchObject({ firstName: 'Eve', email: 'eve@example.org', groups: ['members'] });
  const listed = await user(['list', '--json']);
  const lines = listed.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toContainEqual({
    user: 'eve',
    hasPassword: true,
    groups: ['members'],
    properties: { firstName: 'Eve', email: 'eve@example.org' },
  });

  expect(await user(['groups', 'eve', '--add', 'powerusers', '--remove', 'members'])).toEqual({
    code: 0,
    err: '',
    out: 'powerusers\n',
  });
  expect(await user(['password', 'eve', '--json'], 'other')).toMatchObject({ code: 0 });
  await until(async () => (await asks('eve', 'secret')) === 401);
  expect(await asks('eve', 'other')).toBe(200);
  expect(await user(['password', 'eve', '--none'])).toMatchObject({ code: 0 });
  await until(async () => (await asks('eve', 'other')) === 401); // the server learns of it by a notification
  expect(await user(['delete', 'eve'])).toEqual({ code: 0, err: '', out: 'eve has been deleted.\n' });
  await server.request.get('/api/v1/user/eve').expect(404);
  const log = await server.database.prisma.logEntry.findMany({ where: { category: 'userGroup' } });
  expect(log.map(({ eventId }) => eventId)).toEqual(expect.arrayContaining(['user_created', 'user_deleted']));
});

test('the second factor of a user who has lost it is removed, and the sessions end', async () => {
  await createUser(server, 'zoe', ['administrators']);
  const { codes } = await turnOnSecondFactor(server, 'zoe');
  const { cookie: step } = await enterPassword(server, 'zoe');
  const signedIn = await server.anonymous.post('/login/code').set('Cookie', step).send({ code: codes[0] });
  const me = () => server.anonymous.get('/api/v1/me').set('Cookie', cookieIn(signedIn.headers));
  await me().expect(200);
  expect(await user(['remove-second-factor', 'zoe'])).toEqual({
    code: 0,
    err: '',
    out: 'zoe no longer has a second factor.\n',
  });
  await until(async () => (await me()).status === 401);
  expect((await enterPassword(server, 'zoe')).status).toBe(204);
  expect(await user(['remove-second-factor', 'zoe'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('zoe has no second factor.'),
  });
});

test.each([
  ['a name that is taken', 1, ['create', 'Administrator'], 'user already exists: Administrator'],
  ['no password', 1, ['password', 'Administrator'], 'The password is missing'],
  ['no subcommand', 2, [], 'Usage: quire user'],
])('refuses %s with %d', async (_, wanted, args, message) => {
  const { code, out, err } = await user(args);
  expect({ code, out }).toEqual({ code: wanted, out: '' });
  expect(err).toContain(message);
});

test('makes the database of a folder that has none, and says so once', async () => {
  const folder = newFolder();
  const here = { DATA_DIR: folder };
  const made = await quire(['user', 'list'], here);
  expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^Administrator\t/) });
  expect(made.err).toBe(
    `There is no database in ${folder}, so a new one is created. To use another one, set DATA_DIR.\n`,
  );
  expect(await quire(['user', 'list'], here)).toEqual({ ...made, err: '' });
});
