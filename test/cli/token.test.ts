import { describe, expect, test } from '@jest/globals';
import { readJwt } from '../../src/auth/jwt.ts';
import { run as runProgram } from '../db/processes.ts';
import { jwtSecret } from '../support/authentication.ts';

const secret = Buffer.from(jwtSecret);

async function token(args: string[], settings: Record<string, string> = { JWT_SECRET: jwtSecret }) {
  const { ended, printed } = runProgram('src/cli/quire.ts', settings, ['token', ...args]);
  const { code } = await ended;
  return { ...printed, code };
}

describe('quire token', () => {
  test('prints a JWT of the user for one hour', async () => {
    const before = Date.now();
    const { code, out, err } = await token(['ann']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const claims = await readJwt(secret, out.trim());
    expect(claims).toMatchObject({ username: 'ann' });
    expect(claims).not.toHaveProperty('pathPrefixes');
    expect(Math.abs((claims?.expiresAt ?? 0) - before - 3_600_000)).toBeLessThan(60_000);
  });

  test('accepts another lifetime and a path', async () => {
    const before = Date.now();
    const { out } = await token(['Žofie Ünal', '--seconds', '86400', '--audience', 'api/v1']);
    const claims = await readJwt(secret, out.trim());
    expect(claims).toMatchObject({ username: 'Žofie Ünal', pathPrefixes: ['api/v1'] });
    expect(Math.abs((claims?.expiresAt ?? 0) - before - 86_400_000)).toBeLessThan(60_000);
  });

  test.each([
    ['no user', 2, [], { JWT_SECRET: jwtSecret }, /missing required argument/],
    ['no secret', 1, ['ann'], {}, /^JWT_SECRET: is not set/],
    ['invalid seconds', 2, ['ann', '--seconds', 'x'], { JWT_SECRET: jwtSecret }, /whole number above 0/],
    ['faulty settings', 1, ['ann'], { JWT_SECRET: jwtSecret, PORT: 'x' }, /^PORT: /],
  ])(
    'reports %s on stderr without a stack, and exits with %d',
    async (_, wantedCode, args, settings, wanted) => {
      const { code, out, err } = await token(args, settings as Record<string, string>);
      expect({ code, out }).toEqual({ code: wantedCode, out: '' });
      expect(err).toMatch(wanted);
      expect(err).not.toMatch(/^ {4}at /m);
    },
  );
});
