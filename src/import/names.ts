import { createHash } from 'node:crypto';
import { AppError } from '../errors.ts';
import { documentName, suffixedName } from '../model/names.ts';
import { Skipped } from './skipped.ts';

/**
 * The name of the document of a file, and another one for when several files of a folder would have the same.
 */
export interface NameClaim {
  readonly name: string;
  /** All files of the folder that would have the name; the first of them gets it. */
  readonly rivals: readonly string[];
  readonly fallback: string;
}

/** @throws Skipped when no document can have the name of the file. */
function clean(file: string): string {
  try {
    // Some systems keep file names decomposed; nobody can tell the two forms apart.
    return documentName(file.normalize('NFC'));
  } catch (error) {
    throw error instanceof AppError ? new Skipped(error.message) : error;
  }
}

/** The same number for the same file: a second import must find the document. */
const steady = (file: string): number => createHash('sha256').update(file).digest().readUIntBE(0, 5);

/** Files whose names had to be cleaned, by the result: only these can collide with others. */
function changedNames(files: readonly string[]): Map<string, string[]> {
  const changed = new Map<string, string[]>();
  for (const file of files) {
    let name: string;
    try {
      name = clean(file);
    } catch {
      continue; // `nameClaims` throws for this file
    }
    if (name !== file) changed.set(name, [...(changed.get(name) ?? []), file]);
  }
  return changed;
}

/** @throws Skipped when no document can have the name of the file. */
export type NameClaimOf = (file: string) => NameClaim;

/** The claims of the files of one folder, given in a fixed order. */
export function nameClaims(files: readonly string[]): NameClaimOf {
  const changed = changedNames(files);
  const all = changed.size > 0 ? new Set(files) : new Set<string>();
  return (file) => {
    const name = clean(file);
    const others = changed.get(name) ?? [];
    const rivals = others.length === 0 || all.has(name) ? [name, ...others] : others;
    return { name, rivals, fallback: suffixedName(name, steady(file)) };
  };
}

/**
 * The name that a file gets.
 * @param titleOf the title of the document that has the name already: the name of the file it was imported
 * from.
 */
export function chosenName(
  file: string,
  { name, rivals, fallback }: NameClaim,
  titleOf: string | undefined,
): string {
  const before = rivals.find((rival) => rival === titleOf);
  return (before ?? rivals[0]) === file ? name : fallback;
}
