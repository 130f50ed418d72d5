import { setImmediate as turnOfEventLoop } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import {
  MemoryBudget,
  MemoryExhausted,
  type RequestMemory,
  RowsTooLarge,
} from '../../src/db/memory-budget.ts';

const step = 2 ** 18;

const newBudget = (steps: number) =>
  new MemoryBudget(steps * step, { onWaited: () => {}, onRefused: () => {} });

describe('the memory for rows', () => {
  test('is not taken by the first 256 kB of a request', () => {
    const budget = newBudget(8);
    const memory = budget.open('ann');
    expect(memory.add(step, 0)).toBeUndefined();
    expect(budget.held).toBe(0);
    expect(memory.add(1, 1)).toBeUndefined();
    expect(budget.held).toBe(2 * step);
  });

  test('is used up to one half by all requests of one user together', () => {
    const budget = newBudget(8);
    const [first, second, other] = [budget.open('ann'), budget.open('ann'), budget.open('bob')];
    expect(first.add(2 * step, 0)).toBeUndefined();
    expect(second.add(2 * step, 0)).toBeUndefined();
    expect(second.add(1, 1)).toBeInstanceOf(MemoryExhausted);
    expect(other.add(4 * step, 0)).toBeUndefined();
    expect(budget.held).toBe(8 * step);
  });

  test('never suffices for a request that needs more than half', () => {
    const memory = newBudget(8).open('ann');
    const fault = memory.add(4 * step + 1, 7);
    expect(fault).toBeInstanceOf(RowsTooLarge);
    expect(fault?.message).toContain('pageSize=7');
  });

  test('is released once, and used again', () => {
    const budget = newBudget(8);
    const memory = budget.open('ann');
    memory.add(3 * step, 0);
    memory.shrink(2 * step);
    expect(budget.held).toBe(2 * step);
    memory.release();
    memory.release();
    expect(budget.held).toBe(0);
    expect(memory.add(4 * step, 0)).toBeUndefined();
  });

  test('is still held, but no longer counted, when the rows are forgotten', () => {
    const budget = newBudget(8);
    const memory = budget.open('ann');
    for (let time = 0; time < 10; time += 1) {
      expect(memory.add(3 * step, 0)).toBeUndefined();
      memory.forget();
    }
    expect(budget.held).toBe(3 * step);
  });

  test('is waited for in the order of the requests', async () => {
    const budget = newBudget(8);
    const holders = ['ann', 'bob'].map((user) => budget.open(user));
    for (const each of holders) each.add(4 * step, 0);
    const admitted: string[] = [];
    const waiting = ['carl', 'dora'].map((user) => {
      const memory = budget.open(user);
      return memory.wait(4 * step).then(() => admitted.push(user));
    });
    expect(budget.open('emil').add(2 * step, 0)).toBeInstanceOf(MemoryExhausted);
    holders[0]?.release();
    await waiting[0];
    expect(admitted).toEqual(['carl']);
    holders[1]?.release();
    await Promise.all(waiting);
    expect(admitted).toEqual(['carl', 'dora']);
  });

  test('is available to others while a user at the limit waits', async () => {
    const budget = newBudget(8);
    const first = budget.open('ann');
    first.add(4 * step, 0);
    const second = budget.open('ann').wait(2 * step);
    expect(budget.open('bob').add(4 * step, 0)).toBeUndefined();
    first.release();
    await second;
    expect(budget.held).toBe(8 * step);
  });

  test('is refused after a second of waiting in total', async () => {
    let refused = 0;
    const budget = new MemoryBudget(8 * step, { onWaited: () => {}, onRefused: () => (refused += 1) });
    budget.open('ann').add(4 * step, 0);
    const memory = budget.open('ann');
    await expect(memory.wait(2 * step)).rejects.toThrow(MemoryExhausted);
    await expect(memory.wait(2 * step)).rejects.toThrow(MemoryExhausted);
    expect(refused).toBe(2);
    expect(budget.held).toBe(4 * step);
  });
});

/** Sends a statement with rows of some bytes, which are read until `finish` is called. */
function sending(memory: RequestMemory, bytes: number) {
  let attempts = 0;
  let finish = (): void => {};
  const isFinished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const end = memory.read({ isInTransaction: false }, async (received) => {
    attempts += 1;
    const fault = received(bytes, 0);
    if (fault) throw fault;
    await isFinished;
  });
  return { end, finish, attempts: () => attempts };
}

describe('large reads', () => {
  test('of one user run one at a time, while those of other users and small reads continue', async () => {
    const budget = newBudget(100);
    const all = Array.from({ length: 4 }, () => sending(budget.open('ann'), 5 * step));
    await turnOfEventLoop();
    expect(budget.held).toBe(5 * step);
    for (const [user, bytes] of [
      ['bob', 5 * step],
      ['ann', step],
    ] as const) {
      const passing = sending(budget.open(user), bytes);
      passing.finish();
      await passing.end;
    }
    expect(all.map(({ attempts }) => attempts())).toEqual([1, 1, 1, 1]);
    all[0]?.finish();
    await all[0]?.end;
    await turnOfEventLoop();
    expect(all.map(({ attempts }) => attempts())).toEqual([1, 2, 1, 1]);
    for (const each of all) each.finish();
    await Promise.all(all.map(({ end }) => end));
    expect(all.map(({ attempts }) => attempts())).toEqual([1, 2, 2, 2]);
    const next = sending(budget.open('ann'), 5 * step);
    expect(next.attempts()).toBe(1); // every turn was given back
    next.finish();
    await next.end;
  });

  test('that are known to be large wait before they are sent', async () => {
    const budget = newBudget(100);
    const first = sending(budget.open('ann'), 5 * step);
    let isSent = false;
    const known = budget.open('ann').read({ isInTransaction: false, isLarge: true }, async (received) => {
      isSent = true;
      return received(5 * step, 0);
    });
    await turnOfEventLoop();
    expect(isSent).toBe(false);
    first.finish();
    await Promise.all([first.end, known]);
    expect(isSent).toBe(true);
  });

  test('of one request share a turn, which ends when they fail', async () => {
    const budget = newBudget(100);
    const memory = budget.open('ann');
    const all = [1, 2, 3].map(() => sending(memory, 5 * step));
    expect(all.map(({ attempts }) => attempts())).toEqual([1, 1, 1]);
    for (const { finish } of all) finish();
    await Promise.all(all.map(({ end }) => end));
    const fault = new Error('the connection broke');
    for (let time = 0; time < 3; time += 1) {
      const failing = budget.open('ann').read({ isInTransaction: false }, async (received) => {
        expect(received(5 * step, 0)).toBeUndefined();
        throw fault;
      });
      await expect(failing).rejects.toBe(fault);
    }
  });

  test('in a transaction do not wait for others', async () => {
    const budget = newBudget(100);
    const all = [1, 2].map(() => sending(budget.open('ann'), 5 * step));
    const read = budget
      .open('ann')
      .read({ isInTransaction: true }, async (received) => received(5 * step, 0));
    expect(await read).toBeUndefined();
    for (const { finish } of all) finish();
    await Promise.all(all.map(({ end }) => end));
  });
});
