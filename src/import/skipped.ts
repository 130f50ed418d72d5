/**
 * Thrown if a file cannot be imported as a document. The import continues with other files. The message states the
 * reason.
 */
export class Skipped extends Error {}

const reasons: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOENT: 'no longer exists',
  ELOOP: 'a circular symbolic link',
  EIO: 'the disk cannot read the file',
};

/** Converts a file system error to the reason that the import report gives for skipping the file. */
export function asSkipped(path: string, error: unknown): Skipped {
  const { code = '', message = String(error) } = error as Partial<NodeJS.ErrnoException>;
  // Node decodes file names as UTF-8, so it cannot open a file whose name is not valid UTF-8.
  const isGarbled = code === 'ENOENT' && path.includes('\uFFFD');
  return new Skipped(isGarbled ? 'the name is not valid UTF-8' : (reasons[code] ?? message));
}
