import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { TooManyRequests } from '../../src/errors.ts';
import { createLoginAttempts } from '../../src/security/login-attempts.ts';

const wrong = async () => undefined;
const right = async () => 'somebody';

/** The result of an attempt: its value, 'refused', or 'wait' while it is blocked. */
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
  test('beyond the limit all attempts of an account from an address are refused, right ones included', async () => {
    const { runCounted } = createLoginAttempts(3);
    expect(await repeat(4, () => runCounted('192.0.2.1', 'ann', wrong))).toEqual([
      ...Array(3).fill('refused'),
      'wait',
    ]);
    expect(await outcome(runCounted('192.0.2.1', 'ann', right))).toBe('wait');
  });

  test('other accounts and other addresses are not blocked', async () => {
    const { runCounted } = createLoginAttempts(3);
    await repeat(4, () => runCounted('192.0.2.1', 'ann', wrong));
    expect(await outcome(runCounted('192.0.2.1', 'bob', right))).toBe('somebody');
    expect(await outcome(runCounted('192.0.2.2', 'ann', right))).toBe('somebody');
  });

  test('an address has ten times the limit of an account', async () => {
    const { runCounted } = createLoginAttempts(3);
    let account = 0;
    const another = () => {
      account += 1;
      return runCounted('192.0.2.1', account % 2 ? `user ${account}` : undefined, wrong);
    };
    expect(await repeat(30, another)).toEqual(Array(30).fill('refused'));
    expect(await outcome(another())).toBe('wait');
    expect(await outcome(runCounted('192.0.2.1', 'ann', right))).toBe('wait');
    expect(await outcome(runCounted('192.0.2.2', 'ann', right))).toBe('somebody');
  });

  test('successful attempts are not counted', async () => {
    const { runCounted } = createLoginAttempts(3);
    expect(await repeat(100, () => runCounted('192.0.2.1', 'ann', right))).toEqual(
      Array(100).fill('somebody'),
    );
    expect(await repeat(4, () => runCounted('192.0.2.1', 'ann', wrong))).toEqual([
      ...Array(3).fill('refused'),
      'wait',
    ]);
  });

  test('attempts that end with an error are not counted', async () => {
    const { runCounted } = createLoginAttempts(3);
    const away = () => Promise.reject(new Error('the database is away'));
    for (let index = 0; index < 5; index += 1) {
      await expect(runCounted('192.0.2.1', 'ann', away)).rejects.toThrow('away');
    }
    expect(await outcome(runCounted('192.0.2.1', 'ann', wrong))).toBe('refused');
  });

  test('concurrent attempts are limited like sequential ones', async () => {
    const { runCounted } = createLoginAttempts(3);
    const late = () => new Promise<undefined>((resolve) => setTimeout(resolve, 20, undefined));
    const outcomes = Array.from({ length: 20 }, () => outcome(runCounted('192.0.2.1', 'ann', late)));
    expect((await Promise.all(outcomes)).filter((one) => one === 'refused')).toHaveLength(3);
  });

  test('concurrent right attempts all succeed, no more at a time than the limit', async () => {
    const { runCounted } = createLoginAttempts(2);
    let running = 0;
    let most = 0;
    const attempt = async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
      return 'somebody';
    };
    const outcomes = Array.from({ length: 30 }, () => outcome(runCounted('192.0.2.1', 'ann', attempt)));
    expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['somebody']));
    expect(most).toBe(2);
  });

  test('the error has the seconds after which another attempt is allowed', async () => {
    let time = 1_000_000;
    const { runCounted, requireNotBlocked } = createLoginAttempts(2, { now: () => time });
    await runCounted('192.0.2.1', 'ann', wrong);
    time += 20_000;
    await runCounted('192.0.2.1', 'ann', wrong);
    expect(() => requireNotBlocked('192.0.2.1', 'ann')).toThrow(expect.objectContaining({ retryAfter: 40 }));
    time += 39_000;
    expect(() => requireNotBlocked('192.0.2.1', 'ann')).toThrow(expect.objectContaining({ retryAfter: 1 }));
    time += 1_001;
    expect(() => requireNotBlocked('192.0.2.1', 'ann')).not.toThrow();
  });

  test('isAnyBlocked is true while an account is blocked', async () => {
    let time = 1_000_000;
    const { runCounted, isAnyBlocked, secondsBlocked } = createLoginAttempts(2, { now: () => time });
    await runCounted('192.0.2.1', 'ann', wrong);
    expect(isAnyBlocked()).toBe(false);
    await runCounted('192.0.2.1', 'ann', wrong);
    expect(isAnyBlocked()).toBe(true);
    expect(secondsBlocked('192.0.2.1', 'ann')).toBe(60);
    expect(secondsBlocked('192.0.2.1', 'bob')).toBeUndefined();
    time += 60_001;
    expect(isAnyBlocked()).toBe(false);
    expect(secondsBlocked('192.0.2.1', 'ann')).toBeUndefined();
  });

  test('an IPv6 network of 64 bits counts as one address, in any notation', async () => {
    const { runCounted } = createLoginAttempts(2);
    await runCounted('2001:db8:0:7::1', 'ann', wrong);
    await runCounted('2001:0db8::7:ffff:0:0:1', 'ann', wrong);
    expect(await outcome(runCounted('2001:DB8:0:7:a:b:c:d', 'ann', right))).toBe('wait');
    expect(await outcome(runCounted('2001:db8:0:8::1', 'ann', right))).toBe('somebody');
    expect(await outcome(runCounted('::1', 'ann', right))).toBe('somebody');
  });

  test('an IPv4-mapped IPv6 address counts as the IPv4 address', async () => {
    const { runCounted } = createLoginAttempts(1);
    await runCounted('::ffff:192.0.2.1', 'ann', wrong);
    expect(await outcome(runCounted('192.0.2.1', 'ann', right))).toBe('wait');
    expect(await outcome(runCounted('::ffff:192.0.2.2', 'ann', right))).toBe('somebody');
  });

  test('any two different account names are counted separately', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.string(), async (one, other) => {
        const { runCounted } = createLoginAttempts(1);
        await runCounted('192.0.2.1', one, wrong);
        expect(await outcome(runCounted('192.0.2.1', other, right))).toBe(
          one === other ? 'wait' : 'somebody',
        );
      }),
    );
  });
});
