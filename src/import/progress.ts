import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import cliProgress from 'cli-progress';
import { createdIn, type ImportCounts } from './state.ts';

export interface ProgressDisplay {
  update(counts: ImportCounts): void;
  stop(): void;
}

const lineEvery = { documents: 1000, milliseconds: 5000 };

const seen = (counts: ImportCounts): number => createdIn(counts) + counts.kept + counts.skipped;

export function readableBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const power = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`;
}

/** Counts files and folders by their names alone: no file is inspected. */
export async function countBelow(folder: string): Promise<number> {
  const pending = [folder];
  let count = 1;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const entries = await readdir(next, { withFileTypes: true }).catch(() => []);
    count += entries.length;
    for (const entry of entries) if (entry.isDirectory()) pending.push(join(next, entry.name));
  }
  return count;
}

export function progressBar(total: number, stream: NodeJS.WritableStream): ProgressDisplay {
  const bar = new cliProgress.SingleBar({
    format: '{bar} {percentage}% | {value} of {total} | {rate}',
    stream,
    hideCursor: true,
  });
  bar.start(total, 0, { rate: '' });
  return {
    update: (counts) => {
      bar.setTotal(Math.max(total, seen(counts))); // files may be added meanwhile
      bar.update(seen(counts), { rate: readableBytes(counts.bytes) });
    },
    stop: () => bar.stop(),
  };
}

export function progressLines(write: (line: string) => void, now: () => number = Date.now): ProgressDisplay {
  let last = { documents: 0, time: now() };
  return {
    update: (counts) => {
      const documents = seen(counts);
      const isDue =
        documents - last.documents >= lineEvery.documents || now() - last.time >= lineEvery.milliseconds;
      if (!isDue) return;
      last = { documents, time: now() };
      write(`${createdIn(counts)} created, ${counts.kept} kept, ${readableBytes(counts.bytes)}`);
    },
    stop: () => {},
  };
}
