import { describe, expect, test } from '@jest/globals';
import { createDatabase } from '../../src/db/database.ts';
import { connectServer } from '../../src/db/postgres-server.ts';
import { countPasswordHashes, hashPassword } from '../../src/store/authorities/passwords.ts';
import { authenticationOver, basicHeader, visitor } from '../support/authentication.ts';
import { statements, useServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const server = useServer();

const open = '/api/v1/config/types';

/** Creates a user and caches the password; returns a function that sends a request with a password. */
async function known(id: string) {
  await server.database.prisma.user.create({ data: { id, passwordHash: await hashPassword('old') } });
  const read = (password: string) => server.anonymous.get(open).auth(id, password);
  await read('old').expect(200);
  expect(statements(await read('old').expect(200))).toBe(0);
  return read;
}

const change = (id: string, password: string | null) => async () => {
  const passwordHash = password === null ? null : await hashPassword(password);
  await server.database.transaction(10, async ({ prisma, announce }) => {
    await prisma.user.update({ where: { id }, data: { passwordHash } });
    await announce('principals');
  });
};

describe('§5 the cached credentials of a caller', () => {
  test('are refused on the next request after the password was changed', async () => {
    const read = await known('changing');
    await change('changing', 'new')();
    await read('old').expect(401);
    await read('new').expect(200);
  });

  test('are refused after the user was deleted', async () => {
    const read = await known('leaving');
    await server.database.transaction(10, async ({ prisma, announce }) => {
      await prisma.user.delete({ where: { id: 'leaving' } });
      await announce('principals');
    });
    await read('old').expect(401);
  });

  test('are refused after the password was removed', async () => {
    const read = await known('locked');
    await change('locked', null)();
    await read('old').expect(401);
  });

  test('cost one statement but no hash after another change of principals', async () => {
    const read = await known('steady');
    const before = countPasswordHashes();
    await server.database.announce('principals');
    expect(statements(await read('old').expect(200))).toBe(1);
    expect(countPasswordHashes()).toBe(before);
  });
});

test('§5 a second process sees a changed password within a second', async () => {
  const read = await known('shared');
  const { url = '' } = server;
  const elsewhere = createDatabase(connectServer(url, 60));
  try {
    const { authenticate } = authenticationOver(elsewhere);
    const caller = visitor({ authorization: basicHeader('shared', 'old') });
    await until(() => elsewhere.announcements.isConnected());
    expect(await authenticate(caller)).toMatchObject({ id: 'shared' });
    await change('shared', 'new')();
    await read('old').expect(401);
    const isRefused = () =>
      authenticate(caller).then(
        () => false,
        () => true,
      );
    await until(isRefused, 5_000);
  } finally {
    await elsewhere.close();
  }
});
