import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createPasswordVerifier } from '../../src/auth/password-verifier.ts';

/** A verifier over one that always returns the same, and counts its calls. */
function counted(isRight = true) {
  const counts = { verified: 0 };
  const verify = createPasswordVerifier(async () => {
    counts.verified += 1;
    return isRight;
  });
  return { verify, counts };
}

describe('the password verifier', () => {
  test('hashes a right password once for each cache', async () => {
    const { verify, counts } = counted();
    expect(await verify('hash', 'secret')).toBe(true);
    expect(await verify('hash', 'secret')).toBe(true);
    expect(counts.verified).toBe(1);
    const other = counted();
    await other.verify('hash', 'secret');
    expect(other.counts.verified).toBe(1);
  });

  test('hashes a wrong password every time', async () => {
    const { verify, counts } = counted(false);
    expect(await verify('hash', 'wrong')).toBe(false);
    expect(await verify('hash', 'wrong')).toBe(false);
    expect(counts.verified).toBe(2);
  });

  test('distinguishes any two pairs of hash and password', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string(),
        fc.string(),
        fc.string(),
        fc.string(),
        async (hash, password, otherHash, other) => {
          const { verify, counts } = counted();
          await verify(hash, password);
          await verify(otherHash, other);
          expect(counts.verified).toBe(hash === otherHash && password === other ? 1 : 2);
        },
      ),
    );
  });

  test('distinguishes pairs whose concatenations are equal', async () => {
    const { verify, counts } = counted();
    await verify('hash","', 'x');
    await verify('hash', '","x');
    await verify('a', 'bc');
    await verify('ab', 'c');
    expect(counts.verified).toBe(4);
  });
});
