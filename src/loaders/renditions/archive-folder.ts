/**
 * Makes a name safe for file systems: characters that some of them do not allow are replaced with underscores, and so
 * is a name that consists only of dots, which would refer to another folder.
 */
export const entryName = (name: string): string =>
  name.replace(/[/\\:*?"<>|\p{Cc}]/gu, '_').replace(/^\.+$/, '_') || '_';

/** A folder in an archive. It gives each file and subfolder a unique name. */
export interface ArchiveFolder {
  /** The path of the folder, which is either empty or ends with a slash. */
  readonly path: string;
  /** Reserves a name for a file and returns the file's path. If the name is taken, a number is prepended to it. */
  fileAt(name: string): string;
  /**
   * Returns a folder below this one.
   * @param names the names of the documents on the path to it
   */
  below(names: readonly string[]): ArchiveFolder;
}

/**
 * Creates a folder in an archive.
 * @param reserved names that no file or folder in it can have
 */
export function archiveFolder(path = '', reserved: readonly string[] = []): ArchiveFolder {
  // The names that are taken, each with the last number that was prepended to it.
  const numbers = new Map(reserved.map((name) => [name, 0]));
  const folders = new Map<string, ArchiveFolder>();
  const take = (original: string): string => {
    const base = entryName(original);
    let number = numbers.get(base) ?? 0;
    let name = base;
    while (numbers.has(name)) {
      number += 1;
      name = `${number}-${base}`;
    }
    numbers.set(name, 0).set(base, number);
    return name;
  };
  const folder: ArchiveFolder = {
    path,
    fileAt: (name) => `${path}${take(name)}`,
    below: ([first, ...others]) => {
      if (first === undefined) return folder;
      const next = folders.get(first) ?? archiveFolder(`${path}${take(first)}/`, reserved);
      folders.set(first, next);
      return next.below(others);
    },
  };
  return folder;
}
