import { median } from '../table.ts';
import type { Run } from './run.ts';

const sorted = (all: readonly number[]): number[] => [...all].sort((a, b) => a - b);

/** The mean of the lowest tenth: what is taken while nothing else disturbs. */
function lowest(all: readonly number[]): number {
  const some = sorted(all).slice(0, Math.max(1, Math.round(all.length / 10)));
  return some.reduce((sum, each) => sum + each, 0) / some.length;
}

const range = (all: readonly number[]): string =>
  `× ${median(all).toFixed(2)} (${sorted(all)[0]?.toFixed(2)}–${sorted(all).at(-1)?.toFixed(2)})`;

/** What one contender took, and what became of it beside the first one, round by round. */
export function summary(name: string, runs: readonly Run[], first: readonly Run[]): string {
  const all = (key: keyof Run) => runs.map((each) => each[key]);
  const ratios = (key: keyof Run) =>
    runs.map((each, round) => each[key] / (first[round]?.[key] ?? Number.NaN));
  const cpu = `${median(all('cpu')).toFixed(3)} ms of CPU, lowest ${lowest(all('cpu')).toFixed(3)}`;
  const garbage = `garbage ${median(all('garbage')).toFixed(3)}`;
  const least = lowest(all('cpu')) / lowest(first.map((each) => each.cpu));
  const compared = `rate ${range(ratios('perSecond'))}; CPU ${range(ratios('cpu'))}, lowest × ${least.toFixed(2)}`;
  const rate = `${Math.round(median(all('perSecond')))} a second`;
  return `  ${name}: ${rate}; ${cpu}, ${garbage}${runs === first ? '' : `; ${compared}`}`;
}
