/** Thrown if a file cannot become a document, for the reason in the message. The import continues. */
export class Skipped extends Error {}

const reasons: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOENT: 'no longer exists',
  ELOOP: 'a circular symbolic link',
  EIO: 'the disk cannot read it',
};

/** Converts an error of the file system to the reason that the report of skipped files shows. */
export function asSkipped(path: string, error: unknown): Skipped {
  const { code = '', message = String(error) } = error as Partial<NodeJS.ErrnoException>;
  // Node decodes file names as UTF-8, and cannot open a file whose name is not valid UTF-8.
  const isGarbled = code === 'ENOENT' && path.includes('\uFFFD');
  return new Skipped(isGarbled ? 'the name is not valid UTF-8' : (reasons[code] ?? message));
}
