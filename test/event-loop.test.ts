import { expect, test } from '@jest/globals';
import { isTurnOver, yieldToEventLoop } from '../src/event-loop.ts';

test('a turn that has worked for too long is over until the event loop has done what waits', async () => {
  await yieldToEventLoop();
  expect(isTurnOver()).toBe(false);
  let others = 0;
  setImmediate(() => {
    others += 1;
  });
  while (!isTurnOver()) expect(others).toBe(0);
  await yieldToEventLoop();
  expect(others).toBe(1);
  expect(isTurnOver()).toBe(false);
});

test('of the work that yields, one part goes on in each turn, in order', async () => {
  const seen: string[] = [];
  const work = async (name: string): Promise<void> => {
    for (let part = 0; part < 2; part += 1) {
      await yieldToEventLoop();
      seen.push(name);
    }
  };
  const all = Promise.all([work('a'), work('b')]);
  let isOver = false;
  const turn = (): void => {
    seen.push('|');
    if (!isOver) setImmediate(turn);
  };
  turn();
  await all;
  isOver = true;
  expect(seen.join('')).toMatch(/^\|+a\|+b\|+a\|+b\|*$/);
});
