import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Unauthenticated } from '../../src/errors.ts';
import { authenticationOver, basicHeader, visitor } from '../support/authentication.ts';
import { start, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await start();
});
afterAll(() => server.stop());

const right = visitor({ authorization: basicHeader('Administrator', 'Administrator') });

describe('§5 the authentication chain', () => {
  test('answers whose credentials they are', async () => {
    const { authenticate } = authenticationOver(server.database);
    expect(await authenticate(right)).toMatchObject({ id: 'Administrator', isAdministrator: true });
  });

  test('says that there are none, or that they are wrong, and not what is wrong', async () => {
    const { authenticate } = authenticationOver(server.database);
    await expect(authenticate(visitor({}))).rejects.toThrow(
      new Unauthenticated('authentication is required'),
    );
    const wrong = [
      'Basic QWRtaW5pc3RyYXRvcjp4',
      'Basic bm9ib2R5Ong=',
      'Basic Og==',
      'Bearer x',
      'Bearer a.b.c',
    ];
    const messages = wrong.map((authorization) =>
      authenticate(visitor({ authorization })).then(
        () => 'let in',
        (error: Error) => `${error.name}: ${error.message}`,
      ),
    );
    expect(new Set(await Promise.all(messages))).toEqual(
      new Set(['Unauthenticated: the credentials are not valid']),
    );
  });

  test('many at once are all answered, by one look', async () => {
    const { authenticate } = authenticationOver(server.database);
    const before = process.cpuUsage();
    const principals = await Promise.all(Array.from({ length: 50 }, () => authenticate(right)));
    const { user } = process.cpuUsage(before);
    expect(principals.map(({ id }) => id)).toEqual(Array(50).fill('Administrator'));
    const again = process.cpuUsage();
    await authenticate(visitor({ authorization: basicHeader('nobody', 'x') })).catch(() => {});
    // Fifty hashes would be fifty times one.
    expect(user).toBeLessThan(process.cpuUsage(again).user * 25);
  });
});
