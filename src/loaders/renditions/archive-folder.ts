/**
 * Makes a name safe for file systems: characters that some of them refuse become underscores, and so do names that
 * consist of dots only, which would lead to another folder.
 */
export const entryName = (name: string): string =>
  name.replace(/[/\\:*?"<>|\p{Cc}]/gu, '_').replace(/^\.+$/, '_') || '_';

/** A folder of an archive, which gives each file and subfolder a unique name. */
export interface ArchiveFolder {
  /** The path of the folder, which is empty or ends with a slash. */
  readonly path: string;
  /** Reserves a name for a file and returns its path. A number is prepended to a name that is taken. */
  fileAt(name: string): string;
  /** The folder below this one, by the names of the documents on the way to it. */
  below(names: readonly string[]): ArchiveFolder;
}

/** Makes a folder of an archive. @param reserved names that no file or folder in it can have. */
export function archiveFolder(path = '', reserved: readonly string[] = []): ArchiveFolder {
  const numbers = new Map(reserved.map((name) => [name, 0])); // taken names, with the last number prepended to each
  const folders = new Map<string, ArchiveFolder>();
  const take = (original: string): string => {
    const wanted = entryName(original);
    let number = numbers.get(wanted) ?? 0;
    let name = wanted;
    while (numbers.has(name)) {
      number += 1;
      name = `${number}-${wanted}`;
    }
    numbers.set(name, 0).set(wanted, number);
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
