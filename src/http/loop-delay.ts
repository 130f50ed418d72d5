/** How often the event loop's delay is looked at, in milliseconds. */
const interval = 50;

/** How much the last look counts: one long statement of the embedded database is no overload, many are. */
const weight = 0.2;

/** How late the event loop is, in milliseconds, smoothed over a few looks. */
export interface LoopDelay {
  current(): number;
  stop(): void;
}

/** The delay as looks at the clock tell it; `look` is to be called every `interval`. */
export function loopDelay(now: () => number): { look: () => void; current: () => number } {
  let delay = 0;
  let last = now();
  const smoothed = () => (1 - weight) * delay + weight * Math.max(0, now() - last - interval);
  return {
    look: () => {
      delay = smoothed();
      last = now();
    },
    // A loop that has been busy since the last look is late already, though nobody has looked.
    current: () => Math.max(delay, smoothed()),
  };
}

export function watchLoopDelay(): LoopDelay {
  const { look, current } = loopDelay(() => performance.now());
  const timer = setInterval(look, interval);
  timer.unref();
  return { current, stop: () => clearInterval(timer) };
}
