import { createdIn, type ImportCounts } from './state.ts';

/** A file that was not imported. */
export interface Omission {
  readonly path: string;
  readonly reason: string;
}

export function readableBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const power = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`;
}

/** Quotes a path if it contains control characters, because these could be terminal escape sequences. */
const printable = (path: string): string => (/\p{Cc}/u.test(path) ? JSON.stringify(path) : path);

/** Returns the number of files and folders that an import has processed. */
export const seenIn = (counts: ImportCounts): number => createdIn(counts) + counts.existing + counts.skipped;

export function summary(counts: ImportCounts, seconds: number): string {
  const { Folder, File, Note, ...media } = counts.created;
  const kinds = [
    ['Folder', Folder],
    ['File', File],
    ['Note', Note],
    ...Object.entries(media).filter(([, count]) => count > 0),
  ];
  const perSecond = Math.round(createdIn(counts) / Math.max(seconds, 0.001));
  return [
    `${createdIn(counts)} documents created (${kinds.map(([type, count]) => `${count} ${type}`).join(', ')})`,
    `${counts.existing} already existed`,
    `${counts.skipped} not imported`,
    `${readableBytes(counts.bytes)} in ${seconds.toFixed(1)} s (${perSecond} per second)`,
  ].join(', ');
}

export const omissionLines = (omissions: readonly Omission[]): string[] =>
  [...omissions]
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ path, reason }) => `  ${printable(path)}: ${reason}`);
