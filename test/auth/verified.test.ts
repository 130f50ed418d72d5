import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createVerified } from '../../src/auth/verified.ts';

const principal = { id: 'ann', groups: [], isAdministrator: false };

describe('verified credentials', () => {
  test('are known once set, in this cache alone', () => {
    const verified = createVerified();
    expect(verified.get('ann', 'secret')).toBeUndefined();
    verified.set('ann', 'secret', principal);
    expect(verified.get('ann', 'secret')).toBe(principal);
    expect(createVerified().get('ann', 'secret')).toBeUndefined();
  });

  test('no other name and password are taken for them', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), fc.string(), (name, password, otherName, other) => {
        const verified = createVerified();
        verified.set(name, password, principal);
        const isSame = name === otherName && password === other;
        expect(verified.get(otherName, other) !== undefined).toBe(isSame);
      }),
    );
  });

  test('the border between name and password counts', () => {
    const verified = createVerified();
    verified.set('ann","', 'x', principal);
    expect(verified.get('ann', '","x')).toBeUndefined();
    verified.set('a', 'bc', principal);
    expect(verified.get('ab', 'c')).toBeUndefined();
  });
});
