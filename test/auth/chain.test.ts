import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createChain } from '../../src/auth/index.ts';
import { Unauthenticated } from '../../src/errors.ts';
import { start, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await start();
});
afterAll(() => server.stop());

const authorization = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

const chain = () =>
  createChain({
    database: server.database,
    principalOf: ({ id }) => ({ id, groups: [], isAdministrator: id === 'Administrator' }),
  });

describe('§5 the authentication chain', () => {
  test('answers whose credentials they are', async () => {
    const headers = { authorization: authorization('Administrator:Administrator') };
    expect(await chain()(headers)).toEqual({ id: 'Administrator', groups: [], isAdministrator: true });
  });

  test('says that there are none, or that they are wrong, and not what is wrong', async () => {
    const authenticate = chain();
    await expect(authenticate({})).rejects.toThrow(new Unauthenticated('authentication is required'));
    const messages = ['Administrator:x', 'nobody:x', ':', 'x'].map((text) =>
      authenticate({ authorization: authorization(text) }).then(
        () => 'let in',
        (error: Error) => `${error.name}: ${error.message}`,
      ),
    );
    expect(new Set(await Promise.all(messages))).toEqual(
      new Set(['Unauthenticated: the credentials are not valid']),
    );
  });

  test('many at once are all answered', async () => {
    const authenticate = chain();
    const right = Array.from({ length: 10 }, () =>
      authenticate({ authorization: authorization('Administrator:Administrator') }),
    );
    expect((await Promise.all(right)).map(({ id }) => id)).toEqual(Array(10).fill('Administrator'));
  });
});
