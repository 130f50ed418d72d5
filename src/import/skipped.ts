/** Something below the folder cannot become a document; the message says why. The import goes on. */
export class Skipped extends Error {}

const reasons: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ELOOP: 'a symbolic link that leads in a circle',
  EIO: 'the disk cannot read it',
};

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? String(error.code) : undefined;

/** What the file system says about reading, in words for the list of what was not imported. */
export function asSkipped(path: string, error: unknown): Skipped {
  const code = codeOf(error);
  // Node decodes names as UTF-8, and what is none cannot be asked for again.
  const isGarbled = code === 'ENOENT' && path.includes('\uFFFD');
  if (isGarbled) return new Skipped('the name is not valid UTF-8');
  if (code === 'ENOENT') return new Skipped('no longer there');
  return new Skipped(reasons[code ?? ''] ?? (error instanceof Error ? error.message : String(error)));
}
