/** What no file system takes as a name, or takes for another folder. */
export const entryName = (name: string): string =>
  name.replace(/[/\\:*?"<>|\p{Cc}]/gu, '_').replace(/^\.+$/, '_') || '_';

/** A folder of an archive, in which neither files nor folders have a name in common. */
export interface ArchiveFolder {
  /** Ends with a slash, or is empty. */
  readonly path: string;
  /** The path of another file. */
  fileAt(name: string): string;
  /** The folder of a document, by the names of the documents that lead there. */
  below(names: readonly string[]): ArchiveFolder;
}

/** @param reserved what each folder has besides. */
export function archiveFolder(path = '', reserved: readonly string[] = []): ArchiveFolder {
  const numbers = new Map(reserved.map((name) => [name, 0])); // by names that are taken, the last before it
  const folders = new Map<string, ArchiveFolder>();
  const take = (given: string): string => {
    const wanted = entryName(given);
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
