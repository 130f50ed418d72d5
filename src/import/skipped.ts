/** Something in the folder cannot become a document, for the reason in the message. The import continues. */
export class Skipped extends Error {}

const reasons: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOENT: 'no longer there',
  ELOOP: 'a symbolic link that leads in a circle',
  EIO: 'the disk cannot read it',
};

/** An error of the file system, in words for the list of what was not imported. */
export function asSkipped(path: string, error: unknown): Skipped {
  const { code = '', message = String(error) } = error as Partial<NodeJS.ErrnoException>;
  // Node decodes names as UTF-8; a file whose name is not UTF-8 is not found by the result.
  const isGarbled = code === 'ENOENT' && path.includes('\uFFFD');
  return new Skipped(isGarbled ? 'the name is not valid UTF-8' : (reasons[code] ?? message));
}
