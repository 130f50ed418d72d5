import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createVerified } from '../../src/auth/verified.ts';

describe('verified passwords', () => {
  test('are known once added, in this memory alone', () => {
    const verified = createVerified();
    expect(verified.has('hash', 'secret')).toBe(false);
    verified.add('hash', 'secret');
    expect(verified.has('hash', 'secret')).toBe(true);
    expect(createVerified().has('hash', 'secret')).toBe(false);
  });

  test('no other hash and password are taken for them', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), fc.string(), (hash, password, otherHash, other) => {
        const verified = createVerified();
        verified.add(hash, password);
        expect(verified.has(otherHash, other)).toBe(hash === otherHash && password === other);
      }),
    );
  });

  test('the border between hash and password counts', () => {
    const verified = createVerified();
    verified.add('hash","', 'x');
    expect(verified.has('hash', '","x')).toBe(false);
    verified.add('a', 'bc');
    expect(verified.has('ab', 'c')).toBe(false);
  });
});
