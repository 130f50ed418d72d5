import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hashPassword, verifyPassword } from '../../../src/store/authorities/passwords.ts';

describe('Password hashes', () => {
  test('are Argon2id in PHC form, with a new salt each time', async () => {
    const [one, other] = await Promise.all([hashPassword('same'), hashPassword('same')]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+\$/);
    expect(one).not.toBe(other);
    expect(one).not.toContain('same');
  });

  test('verify the hashed password and no other', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'grapheme' }),
        async (one, other) => {
          const hash = await hashPassword(one);
          expect(await verifyPassword(hash, one)).toBe(true);
          expect(await verifyPassword(hash, other)).toBe(one === other);
        },
      ),
      { numRuns: 15 },
    );
  });

  test.each([null, undefined])('verify no password when they are missing (%s)', async (hash) => {
    expect(await verifyPassword(hash, 'a password that nobody has')).toBe(false);
    expect(await verifyPassword(hash, '')).toBe(false);
  });

  test('that are malformed reject, and do not block the next verification', async () => {
    await expect(verifyPassword('no hash at all', 'x')).rejects.toThrow();
    expect(await verifyPassword(await hashPassword('x'), 'x')).toBe(true);
  });
});
