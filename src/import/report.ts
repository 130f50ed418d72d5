import { readableBytes } from './progress.ts';
import { createdIn, type ImportCounts } from './state.ts';

export interface Omission {
  readonly path: string;
  readonly reason: string;
}

/** Names may contain line ends and control sequences of terminals: they are printed as JSON. */
const printable = (path: string): string => (/\p{Cc}/u.test(path) ? JSON.stringify(path) : path);

export function summary(counts: ImportCounts, seconds: number): string {
  const { Folder, File, Note } = counts.created;
  const perSecond = Math.round(createdIn(counts) / Math.max(seconds, 0.001));
  return [
    `${createdIn(counts)} documents created (${Folder} Folder, ${File} File, ${Note} Note)`,
    `${counts.kept} kept`,
    `${counts.skipped} not imported`,
    `${readableBytes(counts.bytes)} in ${seconds.toFixed(1)} s (${perSecond} a second)`,
  ].join(', ');
}

export const omissionLines = (omissions: readonly Omission[]): string[] =>
  [...omissions]
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ path, reason }) => `  ${printable(path)}: ${reason}`);
