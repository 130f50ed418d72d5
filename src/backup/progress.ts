import cliProgress from 'cli-progress';
import { readableBytes } from '../import/progress.ts';
import type { BackupCounts } from './report.ts';

const millisecondsBetweenLines = 5_000;

export const summaryOf = ({ rows, blobs, bytes }: Pick<BackupCounts, 'rows' | 'blobs' | 'bytes'>): string =>
  `${rows} rows, ${blobs} blobs of ${readableBytes(bytes)}`;

/** A bar on a terminal; elsewhere a line every few seconds. */
export function showProgress(stream: NodeJS.WriteStream): {
  readonly update: (counts: BackupCounts) => void;
  readonly stop: () => void;
} {
  if (!stream.isTTY) {
    let last = Date.now();
    const update = (counts: BackupCounts) => {
      if (Date.now() - last < millisecondsBetweenLines) return;
      last = Date.now();
      stream.write(`${summaryOf(counts)}, of ${summaryOf(counts.of)}\n`);
    };
    return { update, stop: () => {} };
  }
  const bar = new cliProgress.SingleBar({ format: '{bar} {percentage}% | {done}', stream, hideCursor: true });
  bar.start(1, 0, { done: '' });
  return {
    update: (counts) => {
      bar.setTotal(counts.of.rows + counts.of.blobs);
      bar.update(counts.rows + counts.blobs, { done: summaryOf(counts) });
    },
    stop: () => bar.stop(),
  };
}
