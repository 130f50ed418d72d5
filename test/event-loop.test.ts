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
