import { readableBytes } from './progress.ts';
import { createdIn, type ImportCounts } from './state.ts';

/** Something that was not imported. */
export interface Omission {
  readonly path: string;
  readonly reason: string;
}

/** Names may hold line ends and commands for the terminal; those are shown, not carried out. */
const shown = (path: string): string => (/\p{Cc}/u.test(path) ? JSON.stringify(path) : path);

/** What an import did, in one line. */
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

/** What was not imported and why, a line each. */
export const omissionLines = (omissions: readonly Omission[]): string[] =>
  [...omissions]
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ path, reason }) => `  ${shown(path)}: ${reason}`);
