import { describe, expect, test } from '@jest/globals';
import { readJwt } from '../../src/auth/jwt.ts';
import { run as runProgram } from '../db/processes.ts';
import { jwtSecret } from '../support/authentication.ts';

const patience = 60_000;
const secret = Buffer.from(jwtSecret);

async function token(args: string[], settings: Record<string, string> = { JWT_SECRET: jwtSecret }) {
  const { ended, printed } = runProgram('src/cli/token.ts', settings, args);
  const { code } = await ended;
  return { ...printed, code };
}

describe('npm run token', () => {
  test(
    'prints a JWT for the user, for an hour',
    async () => {
      const before = Date.now();
      const { code, out, err } = await token(['ann']);
      expect({ code, err }).toEqual({ code: 0, err: '' });
      const claims = await readJwt(secret, out.trim());
      expect(claims).toMatchObject({ username: 'ann' });
      expect(claims).not.toHaveProperty('below');
      expect(Math.abs((claims?.until ?? 0) - before - 3_600_000)).toBeLessThan(60_000);
    },
    patience,
  );

  test(
    'for other seconds and a path, when told so',
    async () => {
      const before = Date.now();
      const { out } = await token(['Žofie Ünal', '--seconds', '86400', '--audience', 'api/v1']);
      const claims = await readJwt(secret, out.trim());
      expect(claims).toMatchObject({ username: 'Žofie Ünal', below: ['api/v1'] });
      expect(Math.abs((claims?.until ?? 0) - before - 86_400_000)).toBeLessThan(60_000);
    },
    patience,
  );

  test.each([
    ['no user', [], { JWT_SECRET: jwtSecret }, /missing required argument/],
    ['no secret', ['ann'], {}, /^JWT_SECRET: is not set/],
    ['seconds that are none', ['ann', '--seconds', 'x'], { JWT_SECRET: jwtSecret }, /whole number above 0/],
    ['faulty settings', ['ann'], { JWT_SECRET: jwtSecret, PORT: 'x' }, /^PORT: /],
  ])(
    '%s: says so on stderr, without a stack, and exits with 1',
    async (_, args, settings, wanted) => {
      const { code, out, err } = await token(args, settings as Record<string, string>);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toMatch(wanted);
      expect(err).not.toMatch(/^ {4}at /m);
    },
    patience,
  );
});
