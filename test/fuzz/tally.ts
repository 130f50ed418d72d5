import { appendFileSync } from 'node:fs';
import { afterAll } from '@jest/globals';

/** The file to which each test file appends its number of answers by status, for a report. */
const report = process.env.FUZZ_TALLY;

/** Counts answers by status. */
export function useTally(title: string): (status: number) => void {
  const counts = new Map<number, number>();
  afterAll(() => {
    if (report !== undefined)
      appendFileSync(report, `${JSON.stringify([title, Object.fromEntries(counts)])}\n`);
  });
  return (status) => void counts.set(status, (counts.get(status) ?? 0) + 1);
}
