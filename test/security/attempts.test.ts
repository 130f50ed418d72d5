import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { TooManyRequests } from '../../src/errors.ts';
import { createAttempts } from '../../src/security/attempts.ts';

const wrong = async () => undefined;
const right = async () => 'somebody';

/** What became of an attempt: what it found, or after how many seconds another one is worth it. */
async function outcome(attempt: Promise<string | undefined>): Promise<string> {
  try {
    return (await attempt) ?? 'refused';
  } catch (error) {
    if (!(error instanceof TooManyRequests)) throw error;
    return 'wait';
  }
}

const repeat = async (count: number, attempt: () => Promise<string | undefined>): Promise<string[]> => {
  const outcomes: string[] = [];
  for (let index = 0; index < count; index += 1) outcomes.push(await outcome(attempt()));
  return outcomes;
};

describe('§5 failed log-ins', () => {
  test('so many are allowed for an account from an address, then none, right ones included', async () => {
    const { count } = createAttempts(3);
    expect(await repeat(4, () => count('192.0.2.1', 'ann', wrong))).toEqual([
      ...Array(3).fill('refused'),
      'wait',
    ]);
    expect(await outcome(count('192.0.2.1', 'ann', right))).toBe('wait');
  });

  test('another account, and another address, are not kept waiting', async () => {
    const { count } = createAttempts(3);
    await repeat(4, () => count('192.0.2.1', 'ann', wrong));
    expect(await outcome(count('192.0.2.1', 'bob', right))).toBe('somebody');
    expect(await outcome(count('192.0.2.2', 'ann', right))).toBe('somebody');
  });

  test('ten times as many are allowed from an address, whatever the account', async () => {
    const { count } = createAttempts(3);
    let account = 0;
    const another = () => {
      account += 1;
      return count('192.0.2.1', account % 2 ? `user ${account}` : undefined, wrong);
    };
    expect(await repeat(30, another)).toEqual(Array(30).fill('refused'));
    expect(await outcome(another())).toBe('wait');
    expect(await outcome(count('192.0.2.1', 'ann', right))).toBe('wait');
    expect(await outcome(count('192.0.2.2', 'ann', right))).toBe('somebody');
  });

  test('successes count for nothing', async () => {
    const { count } = createAttempts(3);
    expect(await repeat(100, () => count('192.0.2.1', 'ann', right))).toEqual(Array(100).fill('somebody'));
    expect(await repeat(4, () => count('192.0.2.1', 'ann', wrong))).toEqual([
      ...Array(3).fill('refused'),
      'wait',
    ]);
  });

  test('nor does an attempt that could not be decided', async () => {
    const { count } = createAttempts(3);
    const away = () => Promise.reject(new Error('the database is away'));
    for (let index = 0; index < 5; index += 1) {
      await expect(count('192.0.2.1', 'ann', away)).rejects.toThrow('away');
    }
    expect(await outcome(count('192.0.2.1', 'ann', wrong))).toBe('refused');
  });

  test('many at once are no more than one by one', async () => {
    const { count } = createAttempts(3);
    const late = () => new Promise<undefined>((resolve) => setTimeout(resolve, 20, undefined));
    const outcomes = Array.from({ length: 20 }, () => outcome(count('192.0.2.1', 'ann', late)));
    expect((await Promise.all(outcomes)).filter((one) => one === 'refused')).toHaveLength(3);
  });

  test('many at once that are right are all answered, each in its turn', async () => {
    const { count } = createAttempts(2);
    let running = 0;
    let most = 0;
    const attempt = async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
      return 'somebody';
    };
    const outcomes = Array.from({ length: 30 }, () => outcome(count('192.0.2.1', 'ann', attempt)));
    expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['somebody']));
    expect(most).toBe(2);
  });

  test('how long to wait is told, and it is enough', async () => {
    let time = 1_000_000;
    const { count, admit } = createAttempts(2, { now: () => time });
    await count('192.0.2.1', 'ann', wrong);
    time += 20_000;
    await count('192.0.2.1', 'ann', wrong);
    expect(() => admit('192.0.2.1', 'ann')).toThrow(expect.objectContaining({ retryAfter: 40 }));
    time += 39_000;
    expect(() => admit('192.0.2.1', 'ann')).toThrow(expect.objectContaining({ retryAfter: 1 }));
    time += 1_001;
    expect(() => admit('192.0.2.1', 'ann')).not.toThrow();
  });

  test('as long as nobody is kept waiting, it is known without looking', async () => {
    let time = 1_000_000;
    const { count, areAnyBarred, barredFor } = createAttempts(2, { now: () => time });
    await count('192.0.2.1', 'ann', wrong);
    expect(areAnyBarred()).toBe(false);
    await count('192.0.2.1', 'ann', wrong);
    expect(areAnyBarred()).toBe(true);
    expect(barredFor('192.0.2.1', 'ann')).toBe(60);
    expect(barredFor('192.0.2.1', 'bob')).toBeUndefined();
    time += 60_001;
    expect(areAnyBarred()).toBe(false);
    expect(barredFor('192.0.2.1', 'ann')).toBeUndefined();
  });

  test('one network of IPv6 is one address, however it is spelled', async () => {
    const { count } = createAttempts(2);
    await count('2001:db8:0:7::1', 'ann', wrong);
    await count('2001:0db8::7:ffff:0:0:1', 'ann', wrong);
    expect(await outcome(count('2001:DB8:0:7:a:b:c:d', 'ann', right))).toBe('wait');
    expect(await outcome(count('2001:db8:0:8::1', 'ann', right))).toBe('somebody');
    expect(await outcome(count('::1', 'ann', right))).toBe('somebody');
  });

  test('an IPv4 address in the words of IPv6 is itself', async () => {
    const { count } = createAttempts(1);
    await count('::ffff:192.0.2.1', 'ann', wrong);
    expect(await outcome(count('192.0.2.1', 'ann', right))).toBe('wait');
    expect(await outcome(count('::ffff:192.0.2.2', 'ann', right))).toBe('somebody');
  });

  test('whatever the names, one is not taken for another', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.string(), async (one, other) => {
        const { count } = createAttempts(1);
        await count('192.0.2.1', one, wrong);
        expect(await outcome(count('192.0.2.1', other, right))).toBe(one === other ? 'wait' : 'somebody');
      }),
    );
  });
});
