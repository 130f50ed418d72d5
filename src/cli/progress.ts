import cliProgress from 'cli-progress';
import type { Surroundings } from './surroundings.ts';

/** Shows the progress of a command. */
export interface Progress {
  /** @param text describes what has been done so far */
  update(done: number, total: number, text: string): void;
  stop(): void;
}

/** Shows a progress bar on standard error if standard error is a terminal. */
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
