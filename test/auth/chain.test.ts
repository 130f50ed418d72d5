import { describe, expect, test } from '@jest/globals';
import { Unauthenticated } from '../../src/errors.ts';
import { countPasswordHashes } from '../../src/store/authorities/passwords.ts';
import { authenticationOver, basicHeader, visitor } from '../support/authentication.ts';
import { useServer } from '../support/server.ts';

const server = useServer();

const right = visitor({ authorization: basicHeader('Administrator', 'Administrator') });

describe('§5 the authentication chain', () => {
  test('returns the principal of valid credentials', async () => {
    const { authenticate } = authenticationOver(server.database);
    expect(await authenticate(right)).toMatchObject({ id: 'Administrator', isAdministrator: true });
  });

  test('tells missing credentials from invalid ones, without the reason', async () => {
    const { authenticate } = authenticationOver(server.database);
    await expect(authenticate(visitor({}))).rejects.toThrow(
      new Unauthenticated('Authentication is required.'),
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
      new Set(['Unauthenticated: The credentials are not valid.']),
    );
  });

  test('concurrent requests with the same credentials share one hash', async () => {
    const { authenticate } = authenticationOver(server.database);
    const before = countPasswordHashes();
    const principals = await Promise.all(Array.from({ length: 50 }, () => authenticate(right)));
    expect(principals.map(({ id }) => id)).toEqual(Array(50).fill('Administrator'));
    expect(countPasswordHashes() - before).toBe(1);
  });
});
