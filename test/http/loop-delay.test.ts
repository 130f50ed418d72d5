import { describe, expect, test } from '@jest/globals';
import { loopDelay, watchLoopDelay } from '../../src/http/loop-delay.ts';

describe('the delay of the event loop', () => {
  /** A clock, and looks at it: on time, or after a stall. */
  function watch() {
    let time = 0;
    const { look, current } = loopDelay(() => time);
    const lookAfter = (milliseconds: number) => {
      time += milliseconds;
      look();
    };
    return { lookAfter, current, pass: (milliseconds: number) => (time += milliseconds) };
  }

  test('one long stall is no overload', () => {
    const { lookAfter, current } = watch();
    lookAfter(50);
    lookAfter(1000);
    expect(current()).toBeLessThan(250);
  });

  test('stall after stall is, and it passes', () => {
    const { lookAfter, current } = watch();
    for (let stall = 0; stall < 8; stall += 1) lookAfter(500);
    expect(current()).toBeGreaterThan(250);
    for (let look = 0; look < 10; look += 1) lookAfter(50);
    expect(current()).toBeLessThan(100);
  });

  test('a loop that is stalled now is late before anybody looks', () => {
    const { pass, current } = watch();
    pass(2000);
    expect(current()).toBeGreaterThan(250);
  });

  test('the running watch starts in time', () => {
    const watched = watchLoopDelay();
    expect(watched.current()).toBeLessThan(250);
    watched.stop();
  });
});
