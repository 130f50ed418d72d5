import type { LineCounts } from './import-lines.ts';

/** Milliseconds between two lines of progress. */
const interval = 5_000;

/** What an import of lines has committed, with its rate. */
export function lineSummary({ created, kept, line }: LineCounts, seconds: number): string {
  const perSecond = Math.round(created / Math.max(seconds, 0.001));
  const upTo = line === 0 ? 'no line is imported' : `all lines up to ${line} are imported`;
  return `${created} documents created, ${kept} kept in ${seconds.toFixed(1)} s (${perSecond} a second): ${upTo}`;
}

/** Writes a line every few seconds. */
export function lineProgress(
  write: (line: string) => void,
  now: () => number = Date.now,
): (counts: LineCounts) => void {
  let last = now();
  return ({ created, kept, line }) => {
    if (now() - last < interval) return;
    last = now();
    write(`line ${line}: ${created} created, ${kept} kept`);
  };
}
