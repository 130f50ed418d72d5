import cliProgress from 'cli-progress';
import type { Surroundings } from './surroundings.ts';

export interface Progress {
  /** @param text what was done so far. */
  update(done: number, total: number, text: string): void;
  stop(): void;
}

/** A bar on the standard error, where that is a terminal; elsewhere nothing. */
export function showProgress(stream: Surroundings['stderr']): Progress {
  if (!stream.isTTY) return { update: () => {}, stop: () => {} };
  const bar = new cliProgress.SingleBar({ format: '{bar} {percentage}% | {text}', stream, hideCursor: true });
  bar.start(1, 0, { text: '' });
  return {
    update: (done, total, text) => {
      bar.setTotal(Math.max(total, done, 1));
      bar.update(done, { text });
    },
    stop: () => bar.stop(),
  };
}
