import type { LineCounts } from './import-lines.ts';

/** Summarizes what an import of lines has committed, and how fast it was. */
export function lineSummary({ created, existing, line }: LineCounts, seconds: number): string {
  const perSecond = Math.round(created / Math.max(seconds, 0.001));
  const upTo = line === 0 ? 'no lines were imported' : `all lines up to ${line} were imported`;
  return `${created} documents created, ${existing} already existed, in ${seconds.toFixed(1)} s (${perSecond} per second): ${upTo}`;
}
