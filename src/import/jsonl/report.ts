import type { LineCounts } from './import-lines.ts';

/** A summary of what an import of lines has committed, with its rate. */
export function lineSummary({ created, kept, line }: LineCounts, seconds: number): string {
  const perSecond = Math.round(created / Math.max(seconds, 0.001));
  const upTo = line === 0 ? 'no line is imported' : `all lines up to ${line} are imported`;
  return `${created} documents created, ${kept} kept in ${seconds.toFixed(1)} s (${perSecond} a second): ${upTo}`;
}
