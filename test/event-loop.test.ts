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

/** What went on in which turn of the event loop: turns are separated by bars. */
async function turnsOf(names: readonly string[], milliseconds: number): Promise<string> {
  const seen: string[] = [];
  const work = async (name: string): Promise<void> => {
    for (let part = 0; part < 2; part += 1) {
      await yieldToEventLoop();
      seen.push(name);
      await Promise.resolve(); // the part has several microtasks
      for (const end = performance.now() + milliseconds; performance.now() < end; );
    }
  };
  let isOver = false;
  const turn = (): void => {
    seen.push('|');
    if (!isOver) setImmediate(turn);
  };
  turn();
  await Promise.all(names.map(work));
  isOver = true;
  return seen.join('').replaceAll(/\|+/g, '|');
}

test('of long work that yields, one part goes on in each turn, in order', async () => {
  expect(await turnsOf(['a', 'b', 'c'], 20)).toMatch(/^\|a\|b\|c\|a\|b\|c\|?$/);
});

test('short work that yields goes on in one turn', async () => {
  const names = Array.from({ length: 20 }, (_, index) => String.fromCharCode(97 + index));
  const all = names.join('');
  const parts = (await turnsOf(names, 0)).split('|').filter(Boolean);
  expect(parts.join('')).toBe(all + all);
  expect(parts.length).toBeLessThan(names.length);
});
