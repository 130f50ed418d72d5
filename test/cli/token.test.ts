/** @group slow */
import { describe, expect, test } from '@jest/globals';
import { readJwt } from '../../src/auth/jwt.ts';
import { jwtSecret } from '../support/authentication.ts';
import { quire, quireProcess } from './run-quire.ts';

const secret = Buffer.from(jwtSecret);

const settings = { JWT_SECRET: jwtSecret };

describe('quire token', () => {
  test('prints a JWT of the user for one hour', async () => {
    const before = Date.now();
    const { code, out, err } = await quireProcess(['token', 'ann'], settings);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const claims = await readJwt(secret, out.trim());
    expect(claims).toMatchObject({ username: 'ann' });
    expect(claims).not.toHaveProperty('pathPrefixes');
    expect(Math.abs((claims?.expiresAt ?? 0) - before - 3_600_000)).toBeLessThan(60_000);
  });

  test('accepts another lifetime and a path', async () => {
    const before = Date.now();
    const { out } = await quire(
      ['token', 'Žofie Ünal', '--seconds', '86400', '--audience', 'api/v1'],
      settings,
    );
    const claims = await readJwt(secret, out.trim());
    expect(claims).toMatchObject({ username: 'Žofie Ünal', pathPrefixes: ['api/v1'] });
    expect(Math.abs((claims?.expiresAt ?? 0) - before - 86_400_000)).toBeLessThan(60_000);
  });

  test.each([
    ['no user', 2, [], settings, /missing required argument/],
    ['no secret', 1, ['ann'], {}, /^JWT_SECRET is not set/],
    ['invalid seconds', 2, ['ann', '--seconds', 'x'], settings, /must be a positive integer/],
    ['faulty settings', 1, ['ann'], { JWT_SECRET: jwtSecret, PORT: 'x' }, /^PORT: /],
  ])(
    'reports %s on stderr without a stack, and exits with %d',
    async (_, wantedCode, args, given, wanted) => {
      const { code, out, err } = await quire(['token', ...args], given as Record<string, string>);
      expect({ code, out }).toEqual({ code: wantedCode, out: '' });
      expect(err).toMatch(wanted);
      expect(err).not.toMatch(/^ {4}at /m);
    },
  );
});
